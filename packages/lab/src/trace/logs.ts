/** Whole numbers in a row, in a typed array that grows. */
export class IntegerLog {
  #values = new Int32Array(256);
  #length = 0;

  constructor(...first: readonly number[]) {
    for (const value of first) this.push(value);
  }

  get length(): number {
    return this.#length;
  }

  /** 0 when there is none. */
  get last(): number {
    return this.#values[this.#length - 1] ?? 0;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length++] = value;
  }

  #grow(): void {
    const values = new Int32Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
  }

  /** The first of them, or all. */
  integers(count = this.#length): Int32Array {
    return this.#values.slice(0, count);
  }

  bytes(count = this.#length): Uint8Array {
    return Uint8Array.from(this.integers(count));
  }
}

/** Numbers of any kind in a row. */
export class NumberLog {
  readonly #values: number[] = [];

  push(value: number): void {
    this.#values.push(value);
  }

  numbers(): Float64Array {
    return Float64Array.from(this.#values);
  }
}

/** Names in a row, each as the number of its first appearance; -1 for none. */
export class NameLog {
  readonly #numbers = new Map<string, number>();
  readonly #log = new IntegerLog();

  push(name: string | undefined): void {
    if (name === undefined) return this.#log.push(-1);
    const known = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, known);
    this.#log.push(known);
  }

  integers(count: number): Int32Array {
    return this.#log.integers(count);
  }
}
