// PGlite's file layer over Node's, made durable: it starts the server with fsync off, and its NODEFS has no
// fsync operation at all, so that a power cut may lose or corrupt what was committed. Internals of
// @electric-sql/pglite 0.5.14 are used here; test/durability.test.ts holds them.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** NodeFS that syncs, counts the segments of the write-ahead log, and remembers what the disk refused. */
export class DurableFiles extends NodeFS {
  /** @param {string} root @param {boolean} sync */
  constructor(root, sync) {
    super(root);
    this.sync = sync;
    this.walSegments = 0;
    this.syncs = 0;
    /** The last code by which the operating system refused something that matters, for example ENOSPC. */
    this.refusal = undefined;
  }

  async init(pg, options) {
    const { emscriptenOpts } = await super.init(pg, options);
    const mend = (module) => this.#mend(module.FS.filesystems.NODEFS);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), mend] } };
  }

  #mend(nodefs) {
    this.#watchRefusals(nodefs);
    this.#countLog(nodefs);
    nodefs.stream_ops.fsync = (stream) => {
      if (!this.sync) return 0;
      this.syncs += 1;
      nodefs.tryFSOperation(() => syncStream(nodefs, stream));
      return 0;
    };
  }

  #watchRefusals(nodefs) {
    const convert = nodefs.convertNodeCode;
    nodefs.convertNodeCode = (error) => {
      if (REFUSALS.has(error.code)) this.refusal = error.code;
      return convert(error);
    };
  }

  #countLog(nodefs) {
    const write = nodefs.stream_ops.write;
    let segment;
    nodefs.stream_ops.write = (stream, buffer, offset, length, position) => {
      const { node } = stream;
      if (node.parent.name === 'pg_wal' && node.name !== segment) {
        segment = node.name;
        this.walSegments += 1;
      }
      return write(stream, buffer, offset, length, position);
    };
  }
}

const REFUSALS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG']);

// A directory's stream has no descriptor of its own; PostgreSQL syncs directories after it renames or creates.
function syncStream(nodefs, stream) {
  if (stream.nfd !== undefined) return fsyncSync(stream.nfd);
  const descriptor = openSync(nodefs.realPath(stream.node), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
