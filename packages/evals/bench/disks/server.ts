/** The server that both sides work on. */
import { findPostgres, startPostgres } from '@pagefault/doubles';

export interface BenchServer {
  readonly url: string;
  /** For people: where it is from. */
  readonly what: string;
  close(): Promise<void>;
}

// What a small server is given; the rest is PostgreSQL's default, waiting for the disk included.
const SETTINGS = ['-c shared_buffers=256MB', '-c maintenance_work_mem=256MB', '-c max_wal_size=4GB'];

/** One of its own, or else that of `PAGEFAULT_PG_URL`; undefined when there is neither. */
export async function findServer(): Promise<BenchServer | undefined> {
  const [bin, url] = [findPostgres(), process.env['PAGEFAULT_PG_URL']];
  if (bin !== undefined) {
    const server = await startPostgres(bin, SETTINGS);
    return {
      url: server.url,
      what: 'a server of its own, which waits for the disk',
      close: () => server.remove(),
    };
  }
  if (url === undefined) return undefined;
  return { url, what: 'the server of PAGEFAULT_PG_URL', close: async () => undefined };
}
