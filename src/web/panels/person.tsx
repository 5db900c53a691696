import { Avatar } from '@mantine/core';
import { AgentIcon, HubotIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import type { AccountKind } from '#domain/pull-request.ts';
import { Chip } from './chip.tsx';
import classes from './person.module.css';

/** Two letters for a person without a picture: of the first and last word, else the first two of the name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\-_.[\]]+/).filter((word) => word !== '');
  const letters = words.length > 1 ? `${words[0]?.[0]}${words.at(-1)?.[0]}` : (words[0] ?? '?').slice(0, 2);
  return letters.toUpperCase();
}

interface FaceProps {
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly kind?: AccountKind;
  /** Pixels. */
  readonly size?: number;
}

/** A person's picture or initials; bots and agents are square with their icon. Decorative: the name stands beside it. */
export function Face({ name, avatarUrl, kind = 'human', size = 20 }: FaceProps) {
  if (kind === 'bot' || kind === 'agent') {
    const Icon = kind === 'bot' ? HubotIcon : AgentIcon;
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

/** A bot's login without the suffix that its chip says anyway. */
function shownName({ name, kind }: FaceProps): string {
  return kind === 'bot' ? name.replace(/\[bot\]$/, '') : name;
}

interface PersonProps extends FaceProps {
  /** What to show instead of the plain name, e.g. a link. */
  readonly children?: ReactNode;
  /** Hides the name where there is no room; it stays the tooltip of the face. */
  readonly faceOnly?: boolean;
  /** Marks work of an agent under a human's account. */
  readonly byAgent?: boolean;
}

/** A face, a name, and the chip "Bot" or "Agent" where it is no human. */
export function Person({ children, faceOnly = false, byAgent = false, ...face }: PersonProps) {
  if (faceOnly) {
    return (
      <span role="img" aria-label={face.name} data-tip={face.name} className={classes.person}>
        <Face {...face} />
      </span>
    );
  }
  return (
    <span className={classes.person}>
      <Face {...face} />
      <span className={classes.name} title={face.name} dir="auto">
        {children ?? shownName(face)}
      </span>
      {face.kind === 'bot' && <Chip meaning="outlined">Bot</Chip>}
      {(face.kind === 'agent' || byAgent) && <Chip meaning="outlined">Agent</Chip>}
    </span>
  );
}

/** Overlapping faces with their names as tooltips; nobody is the word "Nobody". */
export function Faces({ people }: { people: readonly FaceProps[] }) {
  if (people.length === 0) return <span style={{ color: 'var(--text-3)' }}>Nobody</span>;
  return (
    <span className={classes.stack}>
      {people.map((person) => (
        <Person key={person.name} {...person} faceOnly />
      ))}
    </span>
  );
}
