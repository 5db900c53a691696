import { Avatar } from '@mantine/core';
import { AgentIcon, HubotIcon, PeopleIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { AccountKind } from '#domain/pull-request.ts';
import { Chip } from '../kit/chip.tsx';
import { type Attributed, agentEvidence, agentWords } from './agents.ts';
import classes from './person.module.css';
import { bothNames, PersonName, shownLogin } from './person-name.tsx';

/** Letters as they are read: an emoji, or a letter with its accents, is one. */
const letters = new Intl.Segmenter();
const firstOf = (word: string, count: number) =>
  Array.from(letters.segment(word), ({ segment }) => segment)
    .slice(0, count)
    .join('');

/** Two letters for a person without a picture: of the first and last word, else the first two of the name. */
export function initialsOf(name: string): string {
  const [first = '?', ...more] = name.split(/[\s\-_.[\]]+/).filter((word) => word !== '');
  const last = more.at(-1);
  return (last === undefined ? firstOf(first, 2) : firstOf(first, 1) + firstOf(last, 1)).toUpperCase();
}

interface FaceProps {
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly kind?: AccountKind;
  readonly isTeam?: boolean;
  /** Pixels. */
  readonly size?: number;
}

/** A person's picture or initials; bots, agents and teams are square with their icon. Decorative: the name stands beside it. */
export function Face({ name, avatarUrl, kind = 'human', isTeam = false, size = 20 }: FaceProps) {
  const Icon = kind === 'bot' ? HubotIcon : kind === 'agent' ? AgentIcon : isTeam ? PeopleIcon : null;
  if (Icon !== null) {
    return (
      <span className={classes.automation} style={{ width: size, height: size }}>
        <Icon size={size > 24 ? 16 : 12} />
      </span>
    );
  }
  return (
    <Avatar
      className={classes.avatar ?? ''}
      src={avatarUrl}
      alt=""
      size={size}
      style={{ '--avatar-placeholder-fz': `${Math.max(9, Math.round(size * 0.4))}px` }}
    >
      {initialsOf(name)}
    </Avatar>
  );
}

interface PersonProps extends Omit<FaceProps, 'isTeam'> {
  /** The login, or the name of a team, which is `@organisation/slug`. */
  readonly name: string;
  /** Where it is known; it stands before the login. */
  readonly displayName?: string | null;
  /** No room for two names: the login alone, and the display name in the tooltip. */
  readonly brief?: boolean;
  /** What to show instead of the plain name, e.g. a link. */
  readonly children?: ReactNode;
  /** Hides the name where there is no room; it stays the tooltip of the face. */
  readonly faceOnly?: boolean;
}

/** A face, a name (see `PersonName`), and the chip "Bot" or "Agent" where it is no human. */
export function Person(props: PersonProps) {
  const { children, displayName = null, brief = false, faceOnly = false, ...who } = props;
  const face = { ...who, isTeam: who.name.startsWith('@') };
  const names = bothNames(face.name, displayName);
  if (faceOnly) {
    return (
      <span role="img" aria-label={names} data-tip={names} className={classes.person}>
        <Face {...face} />
      </span>
    );
  }
  return (
    <span className={classes.person}>
      <Face {...face} />
      <span className={classes.name} title={names} dir="auto">
        {children ?? (brief ? shownLogin(face.name) : <PersonName login={face.name} displayName={displayName} />)}
      </span>
      <KindChip kind={face.kind} />
    </span>
  );
}

/** Says of an account that it is no human. */
export function KindChip({ kind }: { kind: AccountKind | undefined }) {
  const word = kind === 'bot' ? 'Bot' : kind === 'agent' ? 'Agent' : null;
  return word && <Chip meaning="outlined">{word}</Chip>;
}

interface WithAgentProps {
  readonly pullRequest: Attributed;
  /** The traces, where they are known. */
  readonly evidence?: readonly { readonly text: string }[];
}

/** Says beside the title that an agent wrote it, and for whom, or took part in what a human opened; nothing for others. */
export function WithAgent({ pullRequest, evidence = [] }: WithAgentProps) {
  const words = agentWords(pullRequest);
  if (words === null) return null;
  return (
    <span data-tip={agentEvidence(pullRequest, evidence)}>
      <Chip meaning="outlined" isLong>
        {words}
      </Chip>
    </span>
  );
}

/** Overlapping faces with their names as tooltips; nobody is the word "Nobody". */
export function Faces({ people }: { people: readonly PersonProps[] }) {
  if (people.length === 0) return <span style={{ color: 'var(--text-3)' }}>Nobody</span>;
  return (
    <span className={classes.stack}>
      {people.map((person) => (
        <Person key={person.name} {...person} faceOnly />
      ))}
    </span>
  );
}
