/** No frame, no page: what is answered where there is nothing. */
export const NONE = -1;

/** Room of a new column; it doubles when it is full. */
const FIRST = 16;

/** Whole numbers by frame, below 2³¹, in one typed array that grows. What was never set is `NONE`. */
export class Column {
  #values = new Int32Array(FIRST).fill(NONE);

  get(frame: number): number {
    return this.#values[frame] ?? NONE;
  }

  set(frame: number, value: number): void {
    if (frame >= this.#values.length) this.#grow(frame);
    this.#values[frame] = value;
  }

  #grow(frame: number): void {
    const values = new Int32Array(Math.max(this.#values.length * 2, frame + 1)).fill(NONE);
    values.set(this.#values);
    this.#values = values;
  }
}
