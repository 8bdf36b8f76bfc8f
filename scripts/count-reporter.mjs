// A vitest reporter that writes how many tests passed, failed and were skipped, to the file of PAGEFAULT_TEST_COUNTS.

import { writeFileSync } from 'node:fs';

export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) count(module, counts);
    writeFileSync(process.env.PAGEFAULT_TEST_COUNTS, JSON.stringify(counts));
  }
}

function count(module, counts) {
  for (const test of module.children.allTests()) countTest(module, test, counts);
  // A file that cannot be loaded, or a hook that failed: there may be no test to blame.
  counts.failed += module.errors().length;
  for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
}

function countTest(module, test, counts) {
  const { state, note } = test.result();
  if (state === 'passed' || state === 'failed') counts[state] += 1;
  else
    counts.skipped.push({
      file: module.moduleId,
      name: `${module.project.name} > ${test.fullName}`,
      reason: note ?? 'no reason given',
    });
}
