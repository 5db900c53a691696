import {
  ChevronDownIcon,
  ChevronRightIcon,
  EyeIcon,
  GitMergeIcon,
  PencilIcon,
  PeopleIcon,
} from '@primer/octicons-react';
import { useId } from 'react';
import { Card, Panel } from '../../kit/card.tsx';
import turnClasses from '../../pull-requests/turn.module.css';
import { useUser } from '../../session/session.tsx';
import { formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { useOpenSections } from './folded.ts';
import { ItemRow } from './item-row.tsx';
import classes from './my-work.module.css';
import type { Snoozes } from './snoozes.ts';
import { type Ended, foldedWords, keyOfItem, type Section, sectionTitles, type turnKeys } from './words.ts';

/** When more of the person's turns stand above, the sections that are not their turn are folded. */
const MANY_ABOVE = 5;

const tiles: Readonly<Record<(typeof turnKeys)[number], readonly [icon: typeof EyeIcon, tone: string | undefined]>> = {
  review: [EyeIcon, turnClasses.reviewers],
  author: [PencilIcon, turnClasses.author],
  merge: [GitMergeIcon, turnClasses.merge],
  team_review: [PeopleIcon, turnClasses.reviewers],
};

interface SectionProps {
  readonly section: Section;
  readonly ended: readonly Ended[];
  readonly snoozes: Snoozes;
}

/** What is the person's turn, as a card of its own. */
export function TurnSection({ section, ended, snoozes }: SectionProps & { readonly section: Section }) {
  const [Icon, tone] = tiles[section.key as keyof typeof tiles];
  return (
    <Card
      title={
        <span className={classes.heading}>
          <span className={`${turnClasses.tile} ${tone}`}>
            <Icon size={12} />
          </span>
          {sectionTitles[section.key]}
        </span>
      }
      caption={formatCount(section.total)}
      flush
    >
      <Items section={section} ended={ended} snoozes={snoozes} />
    </Card>
  );
}

interface OthersProps {
  readonly sections: readonly Section[];
  /** How many are the person's turn. */
  readonly above: number;
  readonly snoozes: Snoozes;
}

/** What is not the person's turn: one card, each section of which can be folded. */
export function OtherSections({ sections, above, snoozes }: OthersProps) {
  const { isOpen, turn } = useOpenSections(above <= MANY_ABOVE);
  return (
    <Panel label="Not your turn">
      {sections.map((section) => (
        <FoldedSection
          key={section.key}
          section={section}
          isOpen={isOpen(section.key)}
          onTurn={(open) => turn(section.key, open)}
          snoozes={snoozes}
        />
      ))}
    </Panel>
  );
}

interface FoldedProps {
  readonly section: Section;
  readonly isOpen: boolean;
  readonly onTurn: (open: boolean) => void;
  readonly snoozes: Snoozes;
}

function FoldedSection({ section, isOpen, onTurn, snoozes }: FoldedProps) {
  const now = useNow();
  const { time_zone } = useUser();
  const id = useId();
  const Caret = isOpen ? ChevronDownIcon : ChevronRightIcon;
  const words = foldedWords(section, now, time_zone);
  return (
    <section aria-labelledby={`${id}-title`} className={classes.folded}>
      <h2>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          data-on-paper
          onClick={() => onTurn(!isOpen)}
        >
          <Caret size={16} />
          <span id={`${id}-title`}>{sectionTitles[section.key]}</span>
          <span className={classes.count}>{formatCount(section.total)}</span>
          {words !== '' && <span className={classes.count}>{words}</span>}
        </button>
      </h2>
      {isOpen && (
        <div id={id}>
          <Items section={section} ended={[]} snoozes={snoozes} />
        </div>
      )}
    </section>
  );
}

function Items({ section, ended, snoozes }: SectionProps) {
  const rows: { item: Section['items'][number]; hasEnded: boolean }[] = section.items.map((item) => ({
    item,
    hasEnded: false,
  }));
  // What is back waits again.
  const isBack = (item: Section['items'][number]) => section.items.some((one) => keyOfItem(one) === keyOfItem(item));
  for (const { at, item } of ended) if (!isBack(item)) rows.splice(at, 0, { item, hasEnded: true });
  const more = section.total - section.items.length;
  return (
    <>
      <ul>
        {rows.map(({ item, hasEnded }) => (
          <ItemRow key={keyOfItem(item)} item={item} hasEnded={hasEnded} snoozes={snoozes} />
        ))}
      </ul>
      {more > 0 && (
        <p className={classes.more}>
          The first {formatCount(section.items.length)} of {formatCount(section.total)}.
        </p>
      )}
    </>
  );
}
