import { defineConfig } from 'vitest/config';

// Workspace packages publish a `source` export condition that points at src/*.ts,
// so tests run from sources and nothing has to be built first.
const conditions = ['source', 'module', 'node', 'development|production', 'import', 'default'];

export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
export default shared;
