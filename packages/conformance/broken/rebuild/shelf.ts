/** A store of one index, and of the one that is to replace it: so that a rebuild can be done wrong without a database. */
import { type ArchivalDriver, PagefaultError } from '@pagefault/contracts';

/** The driver is open until the index is dropped. */
export interface Index {
  readonly dimension: number;
  readonly driver: ArchivalDriver;
}

export interface Begun {
  readonly index: Index;
  /** The dimension of the one that it is to replace. */
  readonly from: number | undefined;
}

export interface Shelf {
  current: Index | undefined;
  next: Index | undefined;
  make(dimension: number): Promise<Index>;
  /** What the drivers on it do in `open`, `rebuild` and `finishRebuild`. */
  open(dimension: number): Promise<Index>;
  begin(dimension: number): Promise<Begun>;
  finish(index: Index): Promise<void>;
}

/** `create` gives an empty index. */
export function createShelf(create: (dimension: number) => ArchivalDriver): Shelf {
  const shelf: Shelf = {
    current: undefined,
    next: undefined,
    async make(dimension) {
      const driver = create(dimension);
      await driver.open();
      return { dimension, driver };
    },
    async open(dimension) {
      const current = (shelf.current ??= await shelf.make(dimension));
      if (current.dimension === dimension) {
        shelf.next = undefined;
        return current;
      }
      throw new PagefaultError('E_DIMENSION', `vectors of ${current.dimension} numbers, not ${dimension}`);
    },
    async begin(dimension) {
      const current = (shelf.current ??= await shelf.make(dimension));
      if (current.dimension === dimension) return { index: current, from: undefined };
      if (shelf.next?.dimension !== dimension) shelf.next = await shelf.make(dimension);
      return { index: shelf.next, from: current.dimension };
    },
    async finish(index) {
      if (shelf.current === index) return;
      if (shelf.next !== index) throw new PagefaultError('E_CONFLICT', 'it was given up');
      await shelf.current?.driver.close();
      [shelf.current, shelf.next] = [index, undefined];
    },
  };
  return shelf;
}

export function driverOn(shelf: Shelf, dimension: number): ArchivalDriver {
  let [index, replaces]: [Index | undefined, boolean] = [undefined, false];
  const opened = (): ArchivalDriver => {
    if (index !== undefined) return index.driver;
    throw new PagefaultError('E_NOT_OPEN', 'not open');
  };
  return {
    kind: 'archival',
    name: 'shelf',
    specVersion: 1,
    supports: { dimension, exact: true },
    open: async () => void (index = await shelf.open(dimension)),
    close: async () => void (index = undefined),
    async rebuild() {
      const begun = await shelf.begin(dimension);
      [index, replaces] = [begun.index, begun.from !== undefined];
      return begun.from;
    },
    async finishRebuild() {
      if (index && replaces) await shelf.finish(index);
      replaces = false;
    },
    upsert: (...given) => opened().upsert(...given),
    query: (...given) => opened().query(...given),
    remove: (...given) => opened().remove(...given),
    count: (...given) => opened().count(...given),
    list: (...given) => opened().list(...given),
  };
}
