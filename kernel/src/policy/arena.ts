/**
 * Memory that is asked for once and given out in parts, zeroed: of a short session most of the time would go into asking for
 * each typed array by itself. What no longer fits is asked for as ever.
 */
export class Arena {
  readonly #memory: ArrayBuffer;
  #used = 0;

  constructor(bytes: number) {
    this.#memory = new ArrayBuffer(bytes);
  }

  integers(length: number): Int32Array {
    const from = this.#take(length * Int32Array.BYTES_PER_ELEMENT);
    return from < 0 ? new Int32Array(length) : new Int32Array(this.#memory, from, length);
  }

  floats(length: number): Float64Array {
    const from = this.#take(length * Float64Array.BYTES_PER_ELEMENT);
    return from < 0 ? new Float64Array(length) : new Float64Array(this.#memory, from, length);
  }

  /** Where the part begins; -1 when there is no room. Parts are whole numbers of the largest element. */
  #take(bytes: number): number {
    const from = this.#used;
    const end = from + Math.ceil(bytes / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
    if (end > this.#memory.byteLength) return -1;
    this.#used = end;
    return from;
  }
}
