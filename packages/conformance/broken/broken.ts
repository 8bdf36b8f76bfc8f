/** A driver that breaks one rule on purpose, and the cases that must notice: those and no others. */
export interface Broken<Driver> {
  readonly rule: string;
  /** How real drivers come to break it. */
  readonly because: string;
  wrap(good: Driver): Driver;
  readonly mustFail: readonly string[];
}
