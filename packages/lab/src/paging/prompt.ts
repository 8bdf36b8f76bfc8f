import type { Tokens } from '@pagefault/contracts';

/**
 * The blocks of a request in their order, pages and what stands for pages. It remembers from which block on it differs
 * from the last request, for a provider's cache is one of prefixes.
 */
export class Prompt {
  readonly ids: number[] = [];
  readonly sizes: Tokens[] = [];
  tokens: Tokens = 0;
  /** So many blocks from the beginning are as they were when this was last set to the length. */
  unchanged = 0;

  append(id: number, size: Tokens): void {
    this.ids.push(id);
    this.sizes.push(size);
    this.tokens += size;
  }

  /** Each block stays, goes (`undefined`), or is replaced by another. */
  rewrite(stand: (id: number, size: Tokens) => readonly [id: number, size: Tokens] | undefined): void {
    let [kept, tokens] = [0, 0];
    let firstChange = this.ids.length;
    for (let at = 0; at < this.ids.length; at++) {
      const [id = 0, size = 0] = [this.ids[at], this.sizes[at]];
      const next = stand(id, size);
      if (next === undefined || next[0] !== id) firstChange = Math.min(firstChange, at);
      if (next === undefined) continue;
      [this.ids[kept], this.sizes[kept]] = next;
      tokens += next[1];
      kept++;
    }
    this.ids.length = this.sizes.length = kept;
    this.tokens = tokens;
    this.unchanged = Math.min(this.unchanged, firstChange);
  }

  insert(at: number, id: number, size: Tokens): void {
    this.ids.splice(at, 0, id);
    this.sizes.splice(at, 0, size);
    this.tokens += size;
    this.unchanged = Math.min(this.unchanged, at);
  }
}
