import { DIMENSION, EMBEDDING_WIDTH, HEADS, HIDDEN_WIDTH, MAX_TOKENS } from './facts.js';
import type { WeightsPackage } from './package.js';
import { readTensors, type Tensors } from './tensors.js';

/**
 * The model as both runtimes read it:
 *
 *     x = 2 * embedding[id] + timing[position]
 *     for each layer:
 *       base = project ? project(x) : x                        (256 -> 512 in the first layer)
 *       y    = base + output(attention(qkv(norm(x))))
 *       x    = y + contract(relu(expand(norm(y))))
 *     vector = unit(tanh(head(mean of x over the tokens)))
 */
export interface Weights {
  /** [vocabulary, 256] */
  readonly embedding: Float32Array;
  /** [128, 256] */
  readonly timing: Float32Array;
  readonly layers: readonly LayerWeights[];
  /** 512 -> 512 */
  readonly head: Dense;
}

export interface LayerWeights {
  /** Width of the layer's input. */
  readonly width: number;
  /** Width of one attention head. */
  readonly headWidth: number;
  /** Queries are multiplied by this: one over the square root of `headWidth`. */
  readonly queryScale: number;
  /** Added to the variance by both norms. */
  readonly epsilon: number;
  readonly project?: Dense;
  readonly attentionNorm: Norm;
  /** width -> 3 * width: queries, keys, values side by side. */
  readonly qkv: Dense;
  readonly output: Dense;
  readonly feedForwardNorm: Norm;
  readonly expand: Dense;
  readonly contract: Dense;
}

/** `y = x * kernel + bias`; the kernel is [inputs, outputs]. */
export interface Dense {
  readonly inputs: number;
  readonly outputs: number;
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
}

export interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

/** Word pieces of the vocabulary, with the two ids that the training kept in reserve. */
export const EMBEDDING_ROWS = 8002;

const KERNELS = 'module/Encoder_en/KonaTransformer/Encode';
const VALUES = 'module_apply_default/Encoder_en/KonaTransformer/Encode';
const HEAD = 'module/Encoder_en/hidden_layers/tanh_layer_0';
const JOINED = 'ConcatPartitions/concat';

/** Reads and names the weights. Errors: `E_STORAGE`. */
export async function readWeights(from: WeightsPackage): Promise<Weights> {
  const tensors = await readTensors(from);
  return {
    embedding: tensors('module/Embeddings_en', EMBEDDING_ROWS * EMBEDDING_WIDTH),
    timing: timingSignal(inverseTimescales(tensors)),
    layers: [readLayer(tensors, 0), readLayer(tensors, 1)],
    head: {
      inputs: DIMENSION,
      outputs: DIMENSION,
      kernel: tensors(`${HEAD}/weights`, DIMENSION * DIMENSION),
      bias: tensors(`${HEAD}/bias`, DIMENSION),
    },
  };
}

function readLayer(tensors: Tensors, index: 0 | 1): LayerWeights {
  const width = index === 0 ? EMBEDDING_WIDTH : DIMENSION;
  const values = `${VALUES}/Layer_${index}/TransformerLayer`;
  const kernels = `${KERNELS}/Layer_${index}/TransformerLayer`;
  const folded = `${VALUES}/TransformerStack/Layer_${index}/TransformerLayer`;

  const norm = (path: string, size: number): Norm => ({
    scale: tensors(`${path}/layer_prepostprocess/layer_norm/layer_norm_scale/${JOINED}`, size),
    bias: tensors(`${path}/layer_prepostprocess/layer_norm/layer_norm_bias/${JOINED}`, size),
  });
  const dense = (kernel: string, bias: string, inputs: number, outputs: number): Dense => ({
    inputs,
    outputs,
    kernel: tensors(kernel, inputs * outputs),
    bias: tensors(`${bias}/${JOINED}`, outputs),
  });
  const attention = (part: string, outputs: number): Dense =>
    dense(
      `${kernels}/MultiheadAttention/${part}/kernel/part_0`,
      `${values}/MultiheadAttention/${part}/bias`,
      width,
      outputs,
    );
  const feedForward = (part: string, inputs: number, outputs: number): Dense =>
    dense(`${folded}/FFN/${part}/Tensordot/Reshape_1`, `${values}/FFN/${part}/bias`, inputs, outputs);

  return {
    width,
    headWidth: width / HEADS,
    queryScale: scalar(tensors, `${folded}/MultiheadAttention/mul/y`),
    epsilon: epsilonOf(tensors),
    ...(index === 0
      ? { project: dense(`${values}/dense/kernel/${JOINED}`, `${values}/dense/bias`, width, DIMENSION) }
      : {}),
    attentionNorm: norm(values, width),
    qkv: attention('qkv_transform_single', 3 * width),
    output: attention('output_transform_single', DIMENSION),
    feedForwardNorm: norm(`${values}/FFN`, DIMENSION),
    expand: feedForward('conv1', DIMENSION, HIDDEN_WIDTH),
    contract: feedForward('conv2', HIDDEN_WIDTH, DIMENSION),
  };
}

// The package keeps one copy, which all four norms of the traced graph share.
function epsilonOf(tensors: Tensors): number {
  return scalar(
    tensors,
    `${VALUES}/TransformerStack/Layer_1/TransformerLayer/FFN/layer_prepostprocess/layer_norm/Cast/x`,
  );
}

function inverseTimescales(tensors: Tensors): Float32Array {
  const path = `${VALUES}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`;
  return tensors(path, EMBEDDING_WIDTH / 2);
}

/** Sines in the first half of each row, cosines in the second, from slow to fast as the package says. */
function timingSignal(inverse: Float32Array): Float32Array {
  const signal = new Float32Array(MAX_TOKENS * EMBEDDING_WIDTH);
  for (let position = 0; position < MAX_TOKENS; position++) {
    const row = signal.subarray(position * EMBEDDING_WIDTH, (position + 1) * EMBEDDING_WIDTH);
    inverse.forEach((frequency, i) => {
      const angle = Math.fround(position * frequency);
      row[i] = Math.sin(angle);
      row[i + inverse.length] = Math.cos(angle);
    });
  }
  return signal;
}

function scalar(tensors: Tensors, name: string): number {
  return tensors(name, 1)[0] ?? Number.NaN;
}
