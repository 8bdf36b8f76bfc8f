import { embedderCases, runCase } from '@pagefault/conformance';
import { brokenEmbedders } from '@pagefault/conformance/broken';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PieceNode } from '../src/text/vocabulary.js';
import { instanceOn } from './instance.js';
import { loadVocabulary } from './support.js';

describe('the embedder suite notices a driver that breaks one rule', () => {
  let vocabulary: PieceNode;
  beforeAll(async () => {
    vocabulary = await loadVocabulary();
  });

  it.each(brokenEmbedders)('$rule', async ({ wrap, mustFail }) => {
    const create = () => {
      const instance = instanceOn(vocabulary);
      return { ...instance, driver: wrap(instance.driver) };
    };
    const failed: string[] = [];
    for (const each of embedderCases) await runCase({ create }, each).catch(() => failed.push(each.name));
    expect(failed).toEqual(mustFail);
  });
});
