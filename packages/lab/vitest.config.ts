import { defineProject, mergeConfig } from 'vitest/config';
import shared from '../../vitest.shared.js';

// The lab computes and keeps nothing between files: they share a process, and what it has imported. What counts open
// handles has no place here.
export default mergeConfig(shared, defineProject({ test: { name: '@pagefault/lab', isolate: false } }));
