import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['kernel', 'drivers/*', 'packages/*', 'examples/*', '.'].map((folder) =>
      folder === '.'
        ? { test: { name: 'house', include: ['test/**/*.test.ts'], testTimeout: 180_000 } }
        : folder,
    ),
    maxWorkers: 2,
  },
});
