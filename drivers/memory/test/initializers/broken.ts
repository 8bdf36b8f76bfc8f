import type { Initializer } from '@pagefault/conformance';
import { brokenRecalls } from '@pagefault/conformance/broken';
import { createMemoryRecall } from '../../src/index.js';

const broken = brokenRecalls.find(({ rule }) => rule.includes('fence'));

export default {
  kind: 'recall',
  name: 'a recall that ignores fences',
  create() {
    let clock = Date.UTC(2026, 0, 1);
    const driver = createMemoryRecall({ now: () => clock });
    return { driver: broken?.wrap(driver) ?? driver, advance: (by) => void (clock += by) };
  },
} satisfies Initializer;
