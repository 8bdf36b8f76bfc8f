// A PostgreSQL in one process has no checkpointer and no autovacuum: without them the write-ahead log and the
// dead rows grow without bound. This stands in for both, while nobody waits for an answer.

// Of 16 MB each. A reopen replays at most this much, which takes about a second.
const CHECKPOINT_SEGMENTS = 4;
// PostgreSQL's autovacuum_vacuum_threshold and _scale_factor, looked at every so many statements.
const DEAD_ROWS = 50;
const DEAD_SHARE = 0.2;
const LOOK_EVERY = 1_000;

export class Upkeep {
  constructor({ db, files }) {
    this.db = db;
    this.files = files;
    this.checkpointAt = CHECKPOINT_SEGMENTS;
    this.statements = 0;
    this.problem = undefined;
  }

  noticed() {
    this.statements += 1;
  }

  async run() {
    if (this.db.isInTransaction()) return;
    try {
      if (this.statements >= LOOK_EVERY) await this.#vacuum();
      if ((this.files?.walSegments ?? 0) >= this.checkpointAt) await this.#checkpoint();
    } catch (error) {
      // Upkeep is no caller's statement. What ails the store shows at the next write.
      this.problem = error;
    }
  }

  async #vacuum() {
    this.statements = 0;
    const { rows } = await this.db.query(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
       where n_dead_tup > $1 + $2 * n_live_tup`,
      [DEAD_ROWS, DEAD_SHARE],
    );
    for (const { name } of rows) await this.db.query(`vacuum analyze ${name}`);
  }

  async #checkpoint() {
    this.checkpointAt = this.files.walSegments + CHECKPOINT_SEGMENTS;
    await this.db.query('checkpoint');
  }
}
