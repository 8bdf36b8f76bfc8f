import { getEventListeners } from 'node:events';
import { checkHead, holds, rejects, same } from '../check.js';
import { ADA, entry, positions, type RecallCase } from './instance.js';
import { operations } from './operations.js';

const METHODS = [
  'commit',
  'load',
  'get',
  'read',
  'scan',
  'postings',
  'documents',
  'stats',
  'erase',
  'acquireLease',
  'releaseLease',
];

export const lifecycle: readonly RecallCase[] = [
  {
    name: 'manifest: the head is complete and the manifest frozen',
    async run({ driver }) {
      checkHead(driver, 'recall', METHODS);
      const { shared, durable } = driver.supports;
      holds(typeof shared === 'boolean', `the manifest says by true or false whether it is \`shared\``);
      holds(typeof durable === 'boolean', `the manifest says by true or false whether it is \`durable\``);
    },
  },
  {
    name: 'lifecycle: open and close may be called twice',
    async run({ driver }) {
      await driver.open();
      await driver.commit({ pid: ADA, appends: [entry(1)] });
      same(await positions(driver, ADA), [1]);
      await driver.close();
      await driver.close();
    },
  },
  {
    name: 'lifecycle: every operation is refused after close',
    async run({ driver }) {
      await driver.close();
      for (const work of operations(driver)) await rejects('E_NOT_OPEN', work());
      await rejects('E_NOT_OPEN', driver.releaseLease(ADA, 'kernel-1'));
    },
  },
  {
    name: 'lifecycle: a closed driver can be opened again and still has what was committed, if it says so',
    async run({ driver }) {
      await driver.commit({ pid: ADA, appends: [entry(1)] });
      await driver.close();
      await driver.open();
      if (driver.supports.durable) same(await positions(driver, ADA), [1]);
      else await positions(driver, ADA);
    },
  },
  {
    name: 'abort: an operation whose signal is aborted before it starts is E_ABORTED',
    async run({ driver }) {
      for (const work of operations(driver, AbortSignal.abort())) await rejects('E_ABORTED', work());
    },
  },
  {
    name: 'abort: a commit whose signal is aborted writes nothing',
    async run({ driver }) {
      await rejects('E_ABORTED', driver.commit({ pid: ADA, appends: [entry(1)] }, AbortSignal.abort()));
      same(await positions(driver, ADA), []);
    },
  },
  {
    name: 'abort: a long-lived signal gathers no listeners (C19)',
    async run({ driver }) {
      const { signal } = new AbortController();
      for (let i = 0; i < 50; i += 1) await driver.load(ADA, ['state'], signal);
      const left = getEventListeners(signal, 'abort').length;
      holds(left <= 1, `${left} listeners are left after 50 calls`);
    },
  },
];
