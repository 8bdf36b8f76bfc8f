/** No frame, no page: what is answered where there is nothing. */
export const NONE = -1;

/** Whole numbers by frame, below 2³¹, in one typed array as long as there is room for frames: `Frames.column` makes it. */
export class Column {
  /** Another one when it has grown. */
  values: Int32Array;

  constructor(values: Int32Array) {
    this.values = values;
  }

  /** Of a frame that is open; `NONE` is none. */
  get(frame: number): number {
    return this.values[frame] as number;
  }

  set(frame: number, value: number): void {
    this.values[frame] = value;
  }

  grow(room: number): void {
    const values = new Int32Array(room);
    values.set(this.values);
    this.values = values;
  }
}
