import type { Instant } from '../pull-request.ts';
import type { Notice } from './notices.ts';
import type { DailyOptions, Kind, QuietHours, WeeklyOptions } from './subscriptions.ts';

/** A number of a week and how many things it is over; null over nothing. */
export interface Median {
  readonly hours: number | null;
  readonly n: number;
}

interface WeekOfPerson {
  readonly opened: number;
  readonly merged: number;
  readonly reviews: number;
  readonly response: Median;
  readonly first_review: Median;
}

interface WeekOfTeam {
  readonly merged: number;
  readonly opened: number;
  readonly first_review: Median;
  readonly merge: Median;
  /** Of those opened, the part that agents wrote; null without any. */
  readonly by_agents: number | null;
}

/** The last whole week against the one before. */
export type Figures =
  | { readonly of: 'person'; readonly week: WeekOfPerson; readonly before: WeekOfPerson }
  | {
      readonly of: 'channel';
      readonly week: WeekOfTeam;
      readonly before: WeekOfTeam;
      readonly open: number;
      /** By whom it waits for. */
      readonly stuck: { readonly author: number; readonly reviewers: number; readonly merge: number };
    };

/** At times of their own, or at any time within the quiet hours. */
export type Schedule = DailyOptions | WeeklyOptions | QuietHours;

export interface Section<Item> {
  readonly key: string;
  readonly total: number;
  readonly items: readonly Item[];
}

/** What a message says, whatever it is sent by. */
export interface Message<Item> {
  readonly id: string;
  readonly kind: Kind | 'test';
  readonly at: Instant;
  readonly recipient: { readonly type: 'person' | 'channel'; readonly name: string };
  readonly zone: string;
  readonly titles: boolean;
  readonly period: string | null;
  readonly items: readonly Item[];
  readonly sections: readonly Section<Item>[];
  /** How many there are beyond `items`. */
  readonly more: number;
  /** How many of all of them, those beyond `items` included, are the recipient's own and wait for others. */
  readonly others_turn: number;
  readonly figures: Figures | null;
  readonly notices: readonly Notice[];
  /** Of `stuck`: the hours after which its recipient wants to be told; null of all others. */
  readonly stuck_after: number | null;
  /** How many passed the limit of `stuck` and are not told, because their checks fail. */
  readonly left_out: number;
  /** When messages of its kind come; null of a test. */
  readonly schedule: Schedule | null;
  /** The login of whose channel it is; null of a person's own mail and direct messages. */
  readonly made_by: string | null;
  readonly links: { readonly open: string; readonly settings: string; readonly unsubscribe: string | null };
}
