import { defineProject, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.js';

export default mergeConfig(
  shared,
  defineProject({
    test: { name: '@pagefault/driver-recall-postgres', globalSetup: ['../../scripts/built.mjs'] },
  }),
);
