import type { Command } from 'commander';
import { addAgain } from './lab/again.js';
import { addCheck, addSchema } from './lab/check.js';
import { addDemand } from './lab/demand.js';
import { addImport } from './lab/import.js';
import { addPolicies } from './lab/list.js';
import { addRecord } from './lab/record.js';
import { addReplay } from './lab/replay.js';
import {
  addAudit,
  addCompare,
  addCost,
  addCurve,
  addRun,
  addSweep,
  addTimeline,
} from './lab/grid-studies.js';
import type { Context } from './shared/context.js';

export function addLab(program: Command, context: Context): void {
  const lab = program.command('lab').description('study paging policies on recordings and traces');
  addRecord(lab, context);
  addReplay(lab, context);
  addRun(lab, context);
  addCurve(lab, context);
  addCost(lab, context);
  addSweep(lab, context);
  addTimeline(lab, context);
  addAudit(lab, context);
  addCompare(lab, context);
  addAgain(lab, context);
  addDemand(lab, context);
  addPolicies(lab, context);
  addImport(lab, context);
  addCheck(lab, context);
  addSchema(lab, context);
}
