/** What is drawn, without a word on how: plain data, which a test can read. */
import type { Unit } from '../run/table.js';

export interface Axis {
  /** With its unit. */
  readonly title: string;
  readonly unit: Unit;
  /** Default linear. */
  readonly scale?: 'linear' | 'log';
  readonly least?: number;
  readonly most?: number;
  /** Where values are told. Default: round ones, evenly. */
  readonly ticks?: readonly number[];
}

/**
 * Drawn apart: a bound is what nothing can be below; what knows the needs to come is a good guess at one; a front joins the
 * best of what is drawn.
 */
export type Role = 'policy' | 'bound' | 'foresight' | 'front';
export type Point = readonly [x: number, y: number];

export interface Series {
  readonly name: string;
  readonly role: Role;
  /** Default a line. */
  readonly draw?: 'line' | 'steps' | 'points' | 'bars';
  readonly points: readonly Point[];
}

/** A line across the chart. */
export interface Mark {
  readonly name: string;
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly role: Role | 'limit';
}

export interface Chart {
  /** Of its file. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  readonly marks?: readonly Mark[];
  /** Whether names stand in the order of what is drawn, the highest first; else in that of the series. */
  readonly ranked?: boolean;
}
