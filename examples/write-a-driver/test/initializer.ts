import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Initializer } from '@pagefault/conformance';
import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createFileRecall } from '../src/driver.js';

const folders = new Map<RecallDriver, string>();

export default {
  kind: 'recall',
  name: 'files',
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'pagefault-files-'));
    const driver = createFileRecall({ folder });
    folders.set(driver, folder);
    return { driver };
  },
  destroy: ({ driver }) => rm(folders.get(driver) ?? '', { recursive: true, force: true }),
  unopened: () => createFileRecall({ folder: join(tmpdir(), 'never') }),
  reference: () => createMemoryRecall(),
} satisfies Initializer;
