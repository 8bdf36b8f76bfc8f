/** Pages by a key that may change, the largest on top: a binary heap that knows where each page stands. */
export class PageHeap {
  readonly #pages: Int32Array;
  readonly #places: Int32Array;
  readonly #keys: Float64Array;
  #length = 0;

  /** For pages 0 to `distinct` - 1. */
  constructor(distinct: number) {
    this.#pages = new Int32Array(distinct);
    this.#places = new Int32Array(distinct).fill(-1);
    this.#keys = new Float64Array(distinct);
  }

  get length(): number {
    return this.#length;
  }

  has(page: number): boolean {
    return this.#place(page) >= 0;
  }

  /** -1 when it is empty. */
  get top(): number {
    return this.#length === 0 ? -1 : this.#at(0);
  }

  keyOf(page: number): number {
    return this.#keys[page] ?? 0;
  }

  /** Puts a page in, or gives it another key. */
  set(page: number, key: number): void {
    const place = this.#place(page);
    this.#keys[page] = key;
    if (place < 0) this.#rise(this.#length++, page);
    else this.#settle(place, page);
  }

  /** The page is in it. */
  remove(page: number): void {
    const place = this.#place(page);
    this.#places[page] = -1;
    const last = this.#at(--this.#length);
    if (last !== page) this.#settle(place, last);
  }

  #settle(place: number, page: number): void {
    const parent = (place - 1) >> 1;
    if (place > 0 && this.keyOf(this.#at(parent)) < this.keyOf(page)) this.#rise(place, page);
    else this.#sink(place, page);
  }

  #rise(from: number, page: number): void {
    let place = from;
    while (place > 0) {
      const parent = this.#at((place - 1) >> 1);
      if (this.keyOf(parent) >= this.keyOf(page)) break;
      this.#put(place, parent);
      place = (place - 1) >> 1;
    }
    this.#put(place, page);
  }

  #sink(from: number, page: number): void {
    let place = from;
    for (;;) {
      const child = this.#largerChild(place);
      if (child < 0 || this.keyOf(this.#at(child)) <= this.keyOf(page)) break;
      this.#put(place, this.#at(child));
      place = child;
    }
    this.#put(place, page);
  }

  /** Its place, or -1 for a leaf. */
  #largerChild(place: number): number {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    if (left >= this.#length) return -1;
    return right < this.#length && this.keyOf(this.#at(right)) > this.keyOf(this.#at(left)) ? right : left;
  }

  #put(place: number, page: number): void {
    this.#pages[place] = page;
    this.#places[page] = place;
  }

  #at(place: number): number {
    return this.#pages[place] ?? -1;
  }

  #place(page: number): number {
    return this.#places[page] ?? -1;
  }
}
