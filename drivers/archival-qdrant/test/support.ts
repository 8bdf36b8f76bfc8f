import type { ArchivalDriver } from '@pagefault/contracts';
import { type QdrantDouble, type QdrantDoubleOptions, startQdrantDouble } from '@pagefault/doubles';
import { afterEach } from 'vitest';
import { createQdrantArchival, type QdrantArchivalOptions } from '../src/index.js';

/** Doubles and drivers of a file's tests, ended after each test: drivers first. */
export function qdrantStacks() {
  const drivers: ArchivalDriver[] = [];
  const doubles: QdrantDouble[] = [];
  afterEach(async () => {
    for (const driver of drivers.splice(0)) await driver.close();
    for (const double of doubles.splice(0)) await double.close();
  });
  return {
    async double(options?: QdrantDoubleOptions): Promise<QdrantDouble> {
      const double = await startQdrantDouble(options);
      doubles.push(double);
      return double;
    },
    driver(options: Partial<QdrantArchivalOptions>): ArchivalDriver {
      const driver = createQdrantArchival({ dimension: 2, ...options });
      drivers.push(driver);
      return driver;
    },
  };
}
