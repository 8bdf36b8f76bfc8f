import { DIMENSION, EMBEDDING_SCALE, EMBEDDING_WIDTH, HEADS, MAX_TOKENS } from '../model/facts.js';
import { EMBEDDING_ROWS, type Dense, type LayerWeights, type Norm, type Weights } from '../model/weights.js';
import { FLOAT, Graph, INT32, type Value } from './graph.js';

/** Raise it whenever this file gives another graph for the same weights: it is part of the cached file's name. */
export const GRAPH_REVISION = 1;

/**
 * The encoder as an ONNX graph, by the recipe at `Weights`.
 * In: `ids` int32 [batch, tokens], `mask` float [batch, tokens] with 1 for a token and 0 for padding.
 * Out: `vectors` float [batch, 512]. Shapes in the comments: b batch, t tokens, h heads.
 */
export function buildEncoderGraph(weights: Weights): Uint8Array {
  const graph = new Graph();
  const ids = graph.input('ids', INT32, ['batch', 'tokens']);
  const mask = graph.input('mask', FLOAT, ['batch', 'tokens']);
  const columnMask = graph.node('Unsqueeze', [mask, graph.integers(2)]); // [b, t, 1]
  const attentionBias = paddingBias(graph, mask);

  let states = embedTokens(graph, weights, ids, columnMask);
  for (const layer of weights.layers) {
    const attended = attentionBlock(graph, layer, states, attentionBias);
    states = feedForwardBlock(graph, layer, attended);
  }
  const vectors = pool(graph, weights.head, states, mask, columnMask);
  graph.output('vectors', vectors, ['batch', DIMENSION]);
  return graph.toBytes();
}

/** 2 * embedding + timing, and zero for padding. [b, t, 256] */
function embedTokens(graph: Graph, weights: Weights, ids: Value, columnMask: Value): Value {
  const table = graph.floats([EMBEDDING_ROWS, EMBEDDING_WIDTH], weights.embedding);
  const embedded = graph.node('Gather', [table, ids]);
  const scaled = graph.node('Mul', [embedded, graph.scalar(EMBEDDING_SCALE)]);
  const timed = graph.node('Add', [scaled, timingOf(graph, weights.timing, ids)]);
  return graph.node('Mul', [timed, columnMask]);
}

/** The first rows of the timing signal, as many as there are tokens. [t, 256] */
function timingOf(graph: Graph, timing: Float32Array, ids: Value): Value {
  const table = graph.floats([MAX_TOKENS, EMBEDDING_WIDTH], timing);
  const tokens = graph.node('Shape', [ids], { start: 1, end: 2 });
  return graph.node('Slice', [table, graph.integers(0), tokens, graph.integers(0)]);
}

/** 0 for a token and -1e9 for padding, added to the scores before the softmax. [b, 1, 1, t] */
function paddingBias(graph: Graph, mask: Value): Value {
  const padding = graph.node('Sub', [graph.scalar(1), mask]);
  const bias = graph.node('Mul', [padding, graph.scalar(-1e9)]);
  return graph.node('Unsqueeze', [bias, graph.integers(1, 2)]);
}

/** base + output(attention(qkv(norm(x)))). [b, t, 512] */
function attentionBlock(graph: Graph, layer: LayerWeights, states: Value, bias: Value): Value {
  const base = layer.project === undefined ? states : dense(graph, layer.project, states);
  const normed = norm(graph, layer.attentionNorm, layer, states);
  const qkv = dense(graph, layer.qkv, normed);
  const [query, key, value] = graph.splitInThree(qkv, layer.width, 2);

  const queries = splitHeads(graph, layer, query, [0, 2, 1, 3]); // [b, h, t, width of a head]
  const keys = splitHeads(graph, layer, key, [0, 2, 3, 1]); //      [b, h, width of a head, t]
  const values = splitHeads(graph, layer, value, [0, 2, 1, 3]);
  const scaled = graph.node('Mul', [queries, graph.scalar(layer.queryScale)]);
  const scores = graph.node('Add', [graph.node('MatMul', [scaled, keys]), bias]);
  const shares = graph.node('Softmax', [scores], { axis: -1 });
  const context = joinHeads(graph, layer, graph.node('MatMul', [shares, values]));
  return graph.node('Add', [dense(graph, layer.output, context), base]);
}

/** y + contract(relu(expand(norm(y)))). [b, t, 512] */
function feedForwardBlock(graph: Graph, layer: LayerWeights, states: Value): Value {
  const normed = norm(graph, layer.feedForwardNorm, layer, states);
  const hidden = graph.node('Relu', [dense(graph, layer.expand, normed)]);
  return graph.node('Add', [dense(graph, layer.contract, hidden), states]);
}

/** unit(tanh(head(mean over the tokens))). [b, 512] */
function pool(graph: Graph, head: Dense, states: Value, mask: Value, columnMask: Value): Value {
  const tokens = graph.node('Mul', [states, columnMask]);
  const sum = graph.node('ReduceSum', [tokens, graph.integers(1)], { keepdims: 0 });
  const count = graph.node('ReduceSum', [mask, graph.integers(1)], { keepdims: 1 });
  const mean = graph.node('Div', [sum, count]);
  const direction = graph.node('Tanh', [dense(graph, head, mean)]);
  return graph.node('LpNormalization', [direction], { axis: -1, p: 2 });
}

function dense(graph: Graph, { inputs, outputs, kernel, bias }: Dense, value: Value): Value {
  const product = graph.node('MatMul', [value, graph.floats([inputs, outputs], kernel)]);
  return graph.node('Add', [product, graph.floats([outputs], bias)]);
}

function norm(graph: Graph, { scale, bias }: Norm, { epsilon }: LayerWeights, value: Value): Value {
  const size = [scale.length];
  return graph.node('LayerNormalization', [value, graph.floats(size, scale), graph.floats(size, bias)], {
    axis: -1,
    epsilon: { float: epsilon },
  });
}

// In a Reshape 0 means: as it was.
function splitHeads(graph: Graph, layer: LayerWeights, value: Value, perm: readonly number[]): Value {
  const split = graph.node('Reshape', [value, graph.integers(0, 0, HEADS, layer.headWidth)]);
  return graph.node('Transpose', [split], { perm });
}

function joinHeads(graph: Graph, layer: LayerWeights, value: Value): Value {
  const ordered = graph.node('Transpose', [value], { perm: [0, 2, 1, 3] });
  return graph.node('Reshape', [ordered, graph.integers(0, 0, layer.width)]);
}
