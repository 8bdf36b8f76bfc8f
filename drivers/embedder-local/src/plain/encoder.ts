import { DIMENSION, EMBEDDING_SCALE, EMBEDDING_WIDTH, HEADS } from '../model/facts.js';
import type { LayerWeights, Weights } from '../model/weights.js';
import { add, dense, meanRow, normalise, softmax, turn, unit, type TurnedDense } from './arithmetic.js';

/** The encoder in plain TypeScript, by the recipe at `Weights`: one window in, one vector of length 1 out. */
export type PlainEncoder = (ids: Int32Array) => Float32Array;

/** Turns the kernels once (20 MB, some tens of milliseconds); each call then allocates only its states. */
export function createPlainEncoder(weights: Weights): PlainEncoder {
  const layers = weights.layers.map(turnLayer);
  const head = turn(weights.head);
  return (ids) => {
    let states = embedTokens(weights, ids);
    for (const layer of layers) states = feedForwardBlock(layer, attentionBlock(layer, states));
    return unit(dense(head, meanRow(states, DIMENSION)).map(Math.tanh));
  };
}

interface TurnedLayer extends Pick<LayerWeights, 'width' | 'headWidth' | 'queryScale' | 'epsilon'> {
  readonly norms: Pick<LayerWeights, 'attentionNorm' | 'feedForwardNorm'>;
  readonly project: TurnedDense | undefined;
  readonly qkv: TurnedDense;
  readonly output: TurnedDense;
  readonly expand: TurnedDense;
  readonly contract: TurnedDense;
}

function turnLayer(layer: LayerWeights): TurnedLayer {
  const { width, headWidth, queryScale, epsilon } = layer;
  return {
    width,
    headWidth,
    queryScale,
    epsilon,
    norms: layer,
    project: layer.project && turn(layer.project),
    qkv: turn(layer.qkv),
    output: turn(layer.output),
    expand: turn(layer.expand),
    contract: turn(layer.contract),
  };
}

function embedTokens({ embedding, timing }: Weights, ids: Int32Array): Float32Array {
  const states = new Float32Array(ids.length * EMBEDDING_WIDTH);
  ids.forEach((id, position) => {
    for (let i = 0; i < EMBEDDING_WIDTH; i++) {
      const at = position * EMBEDDING_WIDTH + i;
      states[at] = EMBEDDING_SCALE * embedding[id * EMBEDDING_WIDTH + i]! + timing[at]!;
    }
  });
  return states;
}

function attentionBlock(layer: TurnedLayer, states: Float32Array): Float32Array {
  const base = layer.project === undefined ? states : dense(layer.project, states);
  const normed = normalise(layer.norms.attentionNorm, layer.epsilon, states);
  const context = attend(layer, dense(layer.qkv, normed));
  return add(dense(layer.output, context), base);
}

function feedForwardBlock(layer: TurnedLayer, states: Float32Array): Float32Array {
  const normed = normalise(layer.norms.feedForwardNorm, layer.epsilon, states);
  const hidden = dense(layer.expand, normed).map((n) => Math.max(n, 0));
  return add(dense(layer.contract, hidden), states);
}

/** For each head and token the values of all tokens, weighted by how well their keys fit its query. */
function attend(layer: TurnedLayer, qkv: Float32Array): Float32Array {
  const tokens = qkv.length / (3 * layer.width);
  const context = new Float32Array(tokens * layer.width);
  const shares = new Float64Array(tokens);
  for (let head = 0; head < HEADS; head++) {
    for (let token = 0; token < tokens; token++) {
      score(layer, qkv, head, token, shares);
      softmax(shares);
      mix(layer, qkv, head, shares, context.subarray(token * layer.width + head * layer.headWidth));
    }
  }
  return context;
}

// A row of qkv holds queries, then keys, then values; each is split into heads.
function score(
  layer: TurnedLayer,
  qkv: Float32Array,
  head: number,
  token: number,
  scores: Float64Array,
): void {
  const { width, headWidth, queryScale } = layer;
  const query = token * 3 * width + head * headWidth;
  for (let other = 0; other < scores.length; other++) {
    const key = other * 3 * width + width + head * headWidth;
    let sum = 0;
    for (let i = 0; i < headWidth; i++) sum += qkv[query + i]! * qkv[key + i]!;
    scores[other] = sum * queryScale;
  }
}

function mix(
  layer: TurnedLayer,
  qkv: Float32Array,
  head: number,
  shares: Float64Array,
  into: Float32Array,
): void {
  const { width, headWidth } = layer;
  for (let i = 0; i < headWidth; i++) {
    let sum = 0;
    for (let other = 0; other < shares.length; other++) {
      sum += shares[other]! * qkv[other * 3 * width + 2 * width + head * headWidth + i]!;
    }
    into[i] = sum;
  }
}
