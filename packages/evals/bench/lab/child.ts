import { measure, type Task } from './measure.js';

process.once('message', (task: Task) => {
  void measure(task).then((measured) => process.send?.(measured, () => process.disconnect()));
});
