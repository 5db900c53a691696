/** What people can be told (docs/server.md#notifications), each by its own switch. */
export const kinds = ['turn', 'stuck', 'daily', 'weekly', 'sync'] as const;
export type Kind = (typeof kinds)[number];

/** A person, also through a channel of theirs that is personal; or everybody in the channel of a team. */
export type Recipient = 'person' | 'channel';

/** Channels that a person has without making them. */
export const personChannels = ['mail', 'slack_dm'] as const;
export type PersonChannel = (typeof personChannels)[number];

/** Kinds of channels that people make. */
export const channelTypes = ['slack', 'teams', 'webhook', 'mail'] as const;
export type ChannelType = (typeof channelTypes)[number];

/** ISO: Monday is 1, Sunday 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;
/** `HH:MM`, 00:00 to 23:59. */
export type TimeOfDay = string;

export interface TurnOptions {
  /** Minutes after which it is told, if it still is their turn. */
  readonly delay: number;
  /** Also what is asked of a team of theirs. */
  readonly team_review: boolean;
}

export interface StuckOptions {
  /** Hours of waiting after which it is told. */
  readonly after: number;
  /** Hours after which it is told again; null: once. */
  readonly repeat: Repeat | null;
  /** Of a person: also their own that wait for others. */
  readonly mine?: boolean;
  /** Of a team's channel: without what bots and agents wrote. */
  readonly humans_only?: boolean;
  /** Of a team's channel: without what waits for reviewers while checks fail. */
  readonly skip_failing?: boolean;
}

export interface DailyOptions {
  readonly time: TimeOfDay;
  readonly weekdays: readonly Weekday[];
}

export interface WeeklyOptions {
  readonly time: TimeOfDay;
  readonly weekday: Weekday;
}

/** The options of each kind, complete. */
export interface OptionsOf {
  readonly turn: TurnOptions;
  readonly stuck: StuckOptions;
  readonly daily: DailyOptions;
  readonly weekly: WeeklyOptions;
  readonly sync: Record<never, never>;
}

/** The values of an option that are allowed, both included. */
export const delayMinutes = { least: 0, most: 240 } as const;
export const afterHours = { least: 1, most: 720 } as const;
/** In hours. */
export const repeats = [24, 72] as const;
export type Repeat = (typeof repeats)[number];

const digestTime = '09:00';
const workdays: readonly Weekday[] = [1, 2, 3, 4, 5];
const daily: DailyOptions = { time: digestTime, weekdays: workdays };
const weekly: WeeklyOptions = { time: digestTime, weekday: 1 };

/** What an option is where nothing is said. A kind that a recipient cannot have is missing, so is an option that its kind has not. */
export const defaultOptions: {
  readonly person: OptionsOf;
  readonly channel: Pick<OptionsOf, 'stuck' | 'daily' | 'weekly'>;
} = {
  person: {
    turn: { delay: 10, team_review: false },
    stuck: { after: 24, repeat: null, mine: false },
    daily,
    weekly,
    sync: {},
  },
  channel: { stuck: { after: 24, repeat: null, humans_only: false, skip_failing: true }, daily, weekly },
};

/** What is wrong with a kind that the channel of a team cannot have. */
export const PERSON_ALONE = 'is told to a person alone, not to the channel of a team';

/** When messages may come: from `from` to `to` on these days. One whose `to` is not after its `from` ends on the next day. */
export interface QuietHours {
  /** `off`: at any time. */
  readonly mode: 'hours' | 'off';
  readonly from: TimeOfDay;
  readonly to: TimeOfDay;
  readonly weekdays: readonly Weekday[];
}

export const defaultQuietHours: QuietHours = { mode: 'hours', from: '08:00', to: '19:00', weekdays: workdays };

/** The most channels that a person can make, and the most subscriptions, those of their channels included. */
export const MOST_CHANNELS = 20;
export const MOST_SUBSCRIPTIONS = 30;
/** Letters of the name of a channel. */
export const LONGEST_NAME = 80;
/** Confirmation mails in 24 hours, to an address and because of a person. */
export const CONFIRMATIONS_A_DAY = { address: 3, person: 10 } as const;
/** How long a link of a confirmation mail is good, in hours, and one to unsubscribe, in days. */
export const CONFIRMATION_HOURS = 24;
export const UNSUBSCRIBE_DAYS = 365;
/** What a test message says. */
export const TEST_TEXT = 'This is Mergelight. It works.';
/** Test messages of a person in a minute. */
export const TESTS_A_MINUTE = 5;
/** How long messages are in the log, in days. */
export const LOG_DAYS = 30;

/** Why a channel is paused, as its owner reads it. */
export const pauseReasons = {
  unconfirmed: 'not confirmed yet',
  token_rejected: 'your access token was rejected',
  token_deleted: 'your access token was deleted',
  not_allowed: 'you were no longer allowed to sign in',
  gone: 'the address is gone',
  failing: 'five messages in a row could not be delivered',
} as const;

/** Why nothing can be sent, as people read it. */
export const offSentences = {
  mail: 'Mail isn’t set up on this server. Ask whoever runs it to set SMTP_URL.',
  slack_dm: 'Slack isn’t set up on this server. Ask whoever runs it to set SLACK_BOT_TOKEN.',
  sending: 'Sending is switched off on this server.',
  unconfirmed: 'That address isn’t confirmed yet',
  unreadable: 'Its address was encrypted with a key that is gone. Enter it again.',
} as const;

/** What mails of a kind are called, after "Mails" or "mails". */
export const mailsOfKind: Readonly<Record<Kind, string>> = {
  turn: 'when it becomes your turn',
  stuck: 'about what waits too long',
  daily: 'with what waits for you each day',
  weekly: 'about your week',
  sync: 'about syncs, tokens and channels that need you',
};

export interface OptionProblem {
  /** Null where the kind itself is wrong. */
  readonly option: string | null;
  readonly message: string;
}

/**
 * A subscription's options with the defaults of those that are left out, by recipient and kind; or what is wrong with them. That each
 * value is in its range is the caller's promise.
 */
export function completeOptions<K extends Kind>(
  recipient: Recipient,
  kind: K,
  given: Readonly<Record<string, unknown>>,
): { readonly options: OptionsOf[K] } | { readonly problems: readonly OptionProblem[] } {
  const usual: OptionsOf[K] | undefined = (defaultOptions[recipient] as Partial<OptionsOf>)[kind];
  if (usual === undefined) return { problems: [{ option: null, message: PERSON_ALONE }] };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  const problems = named
    .filter(([option]) => !(option in usual))
    .map(([option]) => ({ option, message: `is no option of ${kind}` }));
  return problems.length > 0 ? { problems } : { options: Object.assign({}, usual, Object.fromEntries(named)) };
}

/** What is stored of somebody's mail address. */
export interface MailSettings {
  /** The verified one of their account at the host; null where it has none. */
  readonly host_address: string | null;
  /** The one that they want instead; null: the host's. */
  readonly mail_address: string | null;
  /** The last one that they wanted and confirmed. */
  readonly confirmed_mail_address: string | null;
}

/** Where mail to a person goes: to the address before while the one that they want is not confirmed. Null: nowhere. */
export function mailAddressInUse({ host_address, mail_address, confirmed_mail_address }: MailSettings): string | null {
  return mail_address === null ? host_address : (confirmed_mail_address ?? host_address);
}

/** The address that a person wants mail at, null without any, and whether mail goes there already. */
export function wantedMailAddress(settings: MailSettings): { address: string | null; confirmed: boolean } {
  const address = settings.mail_address ?? settings.host_address;
  return { address, confirmed: address !== null && address === mailAddressInUse(settings) };
}
