import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  AlertIcon,
  CheckIcon,
  CopyIcon,
  DotFillIcon,
  LinkExternalIcon,
  MoonIcon,
  UndoIcon,
} from '@primer/octicons-react';
import { Fragment, lazy } from 'react';
import type { WorkItem } from '#contract/my-work.ts';
import { counted } from '#domain/counted.ts';
import { part } from '../../api/part.ts';
import { Chip, SizeBadge } from '../../kit/chip.tsx';
import { MenuButton } from '../../kit/menu-button.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { agentWords } from '../../people/agents.ts';
import { Face, KindChip } from '../../people/person.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { TitleLink } from '../../pull-requests/title-link.tsx';
import { useHostName, useUser } from '../../session/session.tsx';
import { row as pressable } from '../../table/row-link.ts';
import { formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { When } from '../../time/when.tsx';
import classes from './item-row.module.css';
import { SnoozeOfRow } from './snooze-of.ts';
import type { Snoozes } from './snoozes.ts';
import { keyOfItem, nudgeOf, reasonWords, untilWords } from './words.ts';
import { passRowFocus, rowAttribute, snoozeAttribute } from './work-keys.ts';

const SnoozeMenu = lazy(part(() => import('./snooze-menu.tsx')));

interface Props {
  readonly item: WorkItem;
  /** It waits no longer, and goes in a moment. */
  readonly hasEnded: boolean;
  readonly snoozes: Snoozes;
}

/** One item: what it is and whose, why it stands here and since when, and what can be done about it. */
export function ItemRow({ item, hasEnded, snoozes }: Props) {
  if (hasEnded)
    return (
      <li
        ref={passRowFocus(keyOfItem(item))}
        {...rowAttribute(keyOfItem(item))}
        className={`${classes.row} ${classes.ended}`}
      >
        <Title item={item} />
        <span className={classes.reason}>No longer waits for you</span>
      </li>
    );
  return (
    <li
      {...pressable}
      {...rowAttribute(keyOfItem(item))}
      data-tips
      className={`${pressable.className} ${classes.row} ${snoozes.isLeaving(item) ? classes.leaving : ''}`}
    >
      <Title item={item} />
      <span className={classes.lines}>
        {formatCount(item.lines_changed)} <SizeBadge lines={item.lines_changed} />
      </span>
      <Reason item={item} />
      <span className={classes.checks}>
        <Checks checks={item.checks} />
      </span>
      <span className={classes.since}>
        <VisuallyHidden>since </VisuallyHidden>
        <When at={item.since} as="ago" />
        {item.overdue && (
          <span className={classes.overdue}>
            <AlertIcon size={12} /> over {item.overdue_after_hours} h
          </span>
        )}
      </span>
      <Actions item={item} snoozes={snoozes} />
    </li>
  );
}

function Title({ item }: { readonly item: WorkItem }) {
  const { repo_owner, repo_name, pr_number, draft, author, author_avatar_url, author_kind, lines_changed } = item;
  const agents = agentWords(item);
  return (
    <div className={classes.title}>
      <PullRequestIcon state="open" draft={draft} labelled />
      <div className={classes.words}>
        <div className={classes.name} dir="auto">
          <TitleLink row={item} />
        </div>
        <div className={classes.reference}>
          <span data-tip={`${repo_owner}/${repo_name} #${pr_number}`}>
            <span className={classes.repository}>{repo_name}</span> #{pr_number}
          </span>
          <span aria-hidden="true">·</span>
          <span className={classes.author}>
            <Face name={author} avatarUrl={author_avatar_url} kind={author_kind} size={16} />
            <bdi>{item.authorship === 'agent' ? agents : shownLogin(author)}</bdi>
            {item.authorship !== 'agent' && <KindChip kind={author_kind} />}
            {item.authorship === 'assisted' && ` ${agents}`}
          </span>
          <span className={classes.linesBeside}>
            {counted(lines_changed, 'line')} <SizeBadge lines={lines_changed} />
          </span>
        </div>
      </div>
    </div>
  );
}

function Reason({ item }: { readonly item: WorkItem }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <span className={classes.reason}>
      <Words text={reasonWords(item)} />
      {item.snooze && <small>Snoozed {untilWords(item.snooze, now, time_zone)}</small>}
    </span>
  );
}

/** No name is broken at its hyphen. */
function Words({ text }: { readonly text: string }) {
  return text.split(' ').map((word, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no other name than their place
    <Fragment key={at}>
      {at > 0 && ' '}
      <span className={classes.word}>{word}</span>
    </Fragment>
  ));
}

function Checks({ checks }: Pick<WorkItem, 'checks'>) {
  if (checks === 'failing') return <Chip meaning="bad">Checks failing</Chip>;
  if (checks === null) return null;
  const Icon = checks === 'running' ? DotFillIcon : CheckIcon;
  return (
    <span className={classes.quietChecks}>
      <Icon size={12} /> Checks {checks}
    </span>
  );
}

function Actions({ item, snoozes }: { readonly item: WorkItem; readonly snoozes: Snoozes }) {
  const host = useHostName();
  const { title, pr_number, github_url, kind, snooze } = item;
  return (
    <div className={classes.actions}>
      {kind === 'yours_waits' && snooze === null && <CopyNudge item={item} />}
      {snooze === null ? (
        <SnoozeOfRow value={(choice) => snoozes.snooze(item, choice)}>
          <MenuButton menu={SnoozeMenu}>
            {(button) => (
              <ActionIcon aria-label={`Snooze ${title}`} data-tip="Snooze" {...snoozeAttribute} {...button}>
                <MoonIcon size={16} />
              </ActionIcon>
            )}
          </MenuButton>
        </SnoozeOfRow>
      ) : (
        <ActionIcon
          aria-label={`Take back the snooze of ${title}`}
          data-tip="Take the snooze back"
          onClick={() => snoozes.takeBack(item)}
        >
          <UndoIcon size={16} />
        </ActionIcon>
      )}
      <ActionIcon
        component="a"
        href={github_url}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open #${pr_number} on ${host}`}
        data-tip={`Open on ${host}`}
      >
        <LinkExternalIcon size={16} />
      </ActionIcon>
    </div>
  );
}

function CopyNudge({ item }: { readonly item: WorkItem }) {
  const { time_zone } = useUser();
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  const told = error ? 'Could not be copied' : copied ? 'Copied' : '';
  return (
    <>
      <Button
        className={classes.nudge ?? ''}
        variant="default"
        size="compact-xs"
        data-tip="A text to send to whom it waits for"
        onClick={() => copy(nudgeOf(item, Date.now(), time_zone))}
      >
        {error ? <AlertIcon size={12} /> : copied ? <CheckIcon size={12} /> : <CopyIcon size={12} />}
        <span className={classes.nudgeWords}>{told || 'Copy a nudge'}</span>
      </Button>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
    </>
  );
}
