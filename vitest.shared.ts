import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Workspace packages publish a `source` export condition that points at src/*.ts,
// so tests run from sources and nothing has to be built first.
// Vitest hands the conditions of `ssr` to Node itself, for `require` too: `import` among them would give CommonJS
// packages the ES modules of their dependencies, and break them.
const conditions = ['source', 'module', 'node', 'development|production'];

export const shared = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    // A test file lives for seconds: optimising the WebAssembly of the embedded database, at each start anew, would take
    // longer than all that is asked of it.
    execArgv: ['--liftoff-only'],
    setupFiles: [fileURLToPath(new URL('vitest.seed.ts', import.meta.url))],
    // Against a test that hangs, not a measure: machines are shared and slow at times.
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
export default shared;
