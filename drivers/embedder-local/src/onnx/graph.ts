import { float, integer, join, message, signed, text, type Chunks } from './protobuf.js';

/** The name of a value that flows through the graph. */
export type Value = string;

export type Attribute = number | readonly number[] | { readonly float: number };

/** Element types of the ONNX format (TensorProto.DataType). */
export const FLOAT = 1;
export const INT32 = 6;
export const INT64 = 7;

/** Operator set 17 is the first with LayerNormalization; IR version 8 is the one that came with it. */
const OPSET = 17;
const IR_VERSION = 8;

/**
 * Collects the nodes of an ONNX graph and writes it as a ModelProto. The numbers of the fields are those of
 * the format's onnx.proto. Values are named in the order in which they are made, so equal input gives equal bytes.
 */
export class Graph {
  readonly #nodes: Chunks[] = [];
  readonly #constants: Chunks[] = [];
  readonly #inputs: Chunks[] = [];
  readonly #outputs: Chunks[] = [];
  #names = 0;

  /** A side is a number or, when each call may choose it, a name. */
  input(name: Value, type: number, sides: readonly (number | string)[]): Value {
    this.#inputs.push(valueInfo(name, type, sides));
    return name;
  }

  output(name: Value, value: Value, sides: readonly (number | string)[]): void {
    this.#nodes.push(nodeProto('Identity', [value], [name], {}));
    this.#outputs.push(valueInfo(name, FLOAT, sides));
  }

  floats(sides: readonly number[], numbers: Float32Array): Value {
    return this.#constant(FLOAT, sides, numbers);
  }

  scalar(number: number): Value {
    return this.floats([], Float32Array.of(number));
  }

  integers(...numbers: readonly number[]): Value {
    return this.#constant(INT64, [numbers.length], BigInt64Array.from(numbers.map(BigInt)));
  }

  node(
    operator: string,
    inputs: readonly Value[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): Value {
    const output = this.#name();
    this.#nodes.push(nodeProto(operator, inputs, [output], attributes));
    return output;
  }

  /** Three equal parts along an axis. */
  splitInThree(value: Value, width: number, axis: number): readonly [Value, Value, Value] {
    const parts = [this.#name(), this.#name(), this.#name()] as const;
    this.#nodes.push(nodeProto('Split', [value, this.integers(width, width, width)], parts, { axis }));
    return parts;
  }

  toBytes(): Uint8Array {
    const graph = [
      ...this.#nodes.map((node) => message(1, node)),
      text(2, 'graph'),
      ...this.#constants.map((constant) => message(5, constant)),
      ...this.#inputs.map((input) => message(11, input)),
      ...this.#outputs.map((output) => message(12, output)),
    ];
    const opset = message(8, text(1, ''), integer(2, OPSET));
    return join([integer(1, IR_VERSION), opset, message(7, ...graph)].flat());
  }

  #constant(type: number, sides: readonly number[], numbers: Float32Array | BigInt64Array): Value {
    const name = this.#name();
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    const dimensions = sides.flatMap((side) => integer(1, side));
    this.#constants.push([...dimensions, ...integer(2, type), ...text(8, name), ...message(9, [bytes])]);
    return name;
  }

  #name(): Value {
    return `v${this.#names++}`;
  }
}

function nodeProto(
  operator: string,
  inputs: readonly Value[],
  outputs: readonly Value[],
  attributes: Readonly<Record<string, Attribute>>,
): Chunks {
  return [
    ...inputs.flatMap((input) => text(1, input)),
    ...outputs.flatMap((output) => text(2, output)),
    ...text(4, operator),
    ...Object.entries(attributes).flatMap(([name, value]) => message(5, text(1, name), attribute(value))),
  ];
}

// Field 20 is the kind of the attribute: 1 float, 2 integer, 7 integers.
function attribute(value: Attribute): Chunks {
  if (typeof value === 'number') return [...signed(3, value), ...integer(20, 2)];
  if ('float' in value) return [...float(2, value.float), ...integer(20, 1)];
  return [...value.flatMap((each) => signed(8, each)), ...integer(20, 7)];
}

function valueInfo(name: Value, type: number, sides: readonly (number | string)[]): Chunks {
  const dimensions = sides.map((side) =>
    message(1, typeof side === 'string' ? text(2, side) : integer(1, side)),
  );
  const tensor = message(1, integer(1, type), message(2, ...dimensions));
  return [...text(1, name), ...message(2, tensor)];
}
