// A PostgreSQL in one process has no checkpointer and no autovacuum: without them the write-ahead log and the
// dead rows grow without bound. This stands in for both, while nobody waits for an answer.

// Of 16 MB each. A reopen replays at most this much, which takes about a second.
const CHECKPOINT_SEGMENTS = 4;
// PostgreSQL's own defaults for autovacuum: so many dead or new rows, and this share of the table.
const DEAD_ROWS = 50;
const INSERTED_ROWS = 1_000;
const SHARE = 0.2;
// How often to look, in statements: about once in 300 turns.
const LOOK_EVERY = 1_000;

export class Upkeep {
  constructor(db, files) {
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
      // Upkeep is no caller's statement: what ails the store shows at the next write. `inspect` tells of it.
      this.problem = error;
    }
  }

  // Large values live in tables of their own, in pg_toast; they cannot be analysed.
  async #vacuum() {
    this.statements = 0;
    const { rows } = await this.db.query(
      `select format('%I.%I', schemaname, relname) as name, schemaname = 'pg_toast' as toast
       from pg_stat_all_tables
       where n_dead_tup > $1::float8 + $2::float8 * n_live_tup
         or n_ins_since_vacuum > $3::float8 + $2::float8 * n_live_tup`,
      [DEAD_ROWS, SHARE, INSERTED_ROWS],
    );
    for (const { name, toast } of rows) await this.db.query(`vacuum ${toast ? '' : 'analyze '}${name}`);
  }

  async #checkpoint() {
    this.checkpointAt = this.files.walSegments + CHECKPOINT_SEGMENTS;
    await this.db.query('checkpoint');
  }
}
