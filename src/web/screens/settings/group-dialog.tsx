import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { Team, WholeTeam } from '#contract/teams.ts';
import { api } from '../../api/client.ts';
import { unlessGone } from '../../api/query.ts';
import { askPeople } from '../../api/questions.ts';
import { Banner } from '../../kit/banner.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { causeOf, ErrorState } from '../../kit/error-state.tsx';
import { passFocus } from '../../kit/focus-back.ts';
import { ForWhom } from '../../kit/for-whom.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { useIsVisitor, useUser } from '../../session/session.tsx';
import { askWholeTeam } from '../../teams/questions.ts';
import { dayOf } from '../../time/moment.ts';
import { midnightOf } from '../../time/zone-days.ts';
import { changesOf, type GroupMember, membersIn, periodToSave, teamsToSave } from './group-members.ts';
import classes from './team-dialogs.module.css';

const LONGEST = 80;
/** The id of what stands above the members. */
const PEOPLE = 'people-of-group';

interface Props {
  /** Null: a new one. */
  readonly group: Team | null;
  readonly teams: readonly Team[];
  readonly onClose: () => void;
  /** Teams, groups or their people have changed. */
  readonly onChanged: () => Promise<void>;
}

/** Makes or changes a group: its name, for whom it is, its people with when they belong to it, and the teams in it. */
export function GroupDialog({ group, ...props }: Props) {
  return (
    <Dialog title={group === null ? 'New group' : 'Change group'} onClose={props.onClose} staysOpen>
      {group === null ? <GroupForm before={null} {...props} /> : <Loaded id={group.id} {...props} />}
    </Dialog>
  );
}

function Loaded({ id, ...props }: Omit<Props, 'group'> & { readonly id: number }) {
  const group = useQuery({ ...askWholeTeam(id), refetchInterval: false, staleTime: 0 });
  // What is changed is what is stored now, and not what was when the dialog was open before. What others change meanwhile stays.
  const [begun, setBegun] = useState<WholeTeam>();
  const isFresh = group.isFetchedAfterMount && group.error === null && group.data !== undefined;
  if (begun === undefined && isFresh) setBegun(group.data);
  if (begun !== undefined) return <GroupForm before={begun} {...props} />;
  if (group.error)
    return <ErrorState title="Failed to fetch the group" error={group.error} onRetry={() => void group.refetch()} />;
  return (
    <Late>
      <Line width="60%" />
    </Late>
  );
}

function GroupForm({
  before,
  teams,
  onClose,
  onChanged,
}: Omit<Props, 'group'> & { readonly before: WholeTeam | null }) {
  // As long as the form is open its days are those that it began with.
  const [time_zone] = useState(useUser().time_zone);
  const clocks = {
    dayOf: (at: number) => dayOf(at, time_zone),
    midnightOf: (date: string) => midnightOf(date, time_zone),
  };
  const isVisitor = useIsVisitor();
  const [name, setName] = useState(before?.name ?? '');
  const [visibility, setVisibility] = useState<'mine' | 'everyone'>(
    before?.visibility === 'everyone' ? 'everyone' : 'mine',
  );
  const [parts, setParts] = useState<ReadonlySet<number>>(new Set(before?.teams));
  const [members, setMembers] = useState<readonly GroupMember[]>(() => membersIn(before, clocks));
  /** Those of before, with what was saved of them since, also where the rest of it failed. */
  const [saved, setSaved] = useState(members);
  const [typed, setTyped] = useState('');
  const people = useQuery(askPeople()).data ?? [];
  const list = useId();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: async (members: readonly GroupMember[]) => {
      if (before === null) {
        const all = members.flatMap(({ username, periods }) =>
          periods.map((period) => ({ username, ...periodToSave(period, clocks) })),
        );
        return await api.makeGroup({ body: { name, visibility, teams: [...parts], members: all } });
      }
      const params = { id: before.id };
      const { put, removed } = changesOf(saved, members);
      const without = (username: string) => (all: readonly GroupMember[]) =>
        all.filter((one) => one.username !== username);
      // Members first: whoever is unknown is said before anything else has changed.
      for (const member of put) {
        const { username, periods } = member;
        await api.saveMember({
          params: { ...params, username },
          body: { periods: periods.map((period) => periodToSave(period, clocks)) },
        });
        setSaved((all) => [...without(username)(all), member]);
      }
      for (const username of removed) {
        await api.removeMember({ params: { ...params, username } }).catch(unlessGone);
        setSaved(without(username));
      }
      const isSame = parts.symmetricDifference(new Set(before.teams)).size === 0;
      const body = {
        ...(name !== before.name && { name }),
        ...(visibility !== before.visibility && { visibility }),
        // They are replaced, and another page or person may have changed them since the dialog was opened.
        ...(!isSame && { teams: teamsToSave((await api.getTeam({ params })).teams, before.teams, parts) }),
      };
      return await api.changeGroup({ params, body });
    },
    onSuccess: async ({ id }) => {
      await onChanged();
      onClose();
      if (before === null) void navigate({ to: '/team/$id', params: { id: String(id) } });
    },
    onError: () => void (before !== null && onChanged()),
  });
  /** Takes in whoever is typed; returns the members with them. */
  const add = () => {
    const username = typed.trim().replace(/^@/, '');
    const isThere = members.some((one) => one.username.toLowerCase() === username.toLowerCase());
    const all = username === '' || isThere ? members : [...members, { username, periods: [{ from: '', to: '' }] }];
    setMembers(all);
    setTyped('');
    return all;
  };
  const others = teams.filter(({ id, archived_at }) => id !== before?.id && (archived_at === null || parts.has(id)));
  return (
    <form
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending && name.trim() !== '') save.mutate(add());
      }}
    >
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        maxLength={LONGEST}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ForWhom
        value={visibility}
        onChange={setVisibility}
        sentence="Everyone who signs in here can narrow their figures to it. Nobody sees more of its people by that than they do elsewhere."
        alone={isVisitor}
      />
      <fieldset className={classes.tree}>
        <legend className={classes.legend}>
          <b id={PEOPLE} tabIndex={-1}>
            People
          </b>
        </legend>
        <div className={classes.addMember}>
          <TextInput
            aria-label="Add somebody by name or exact login"
            placeholder="Name or exact login"
            autoComplete="off"
            list={list}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <datalist id={list}>
            {people.map(({ username, display_name }) => (
              <option key={username} value={username} label={display_name ?? username} />
            ))}
          </datalist>
          <Button variant="default" leftSection={<PlusIcon size={14} />} disabled={typed.trim() === ''} onClick={add}>
            Add
          </Button>
        </div>
        {members.length === 0 ? (
          <p className={classes.quiet}>Nobody yet.</p>
        ) : (
          <ul className={classes.members}>
            {members.map((member) => (
              <Member
                key={member.username}
                member={member}
                onChange={(next) =>
                  setMembers(members.flatMap((one) => (one !== member ? [one] : next === null ? [] : [next])))
                }
              />
            ))}
          </ul>
        )}
        {before !== null && before.hidden_members > 0 && (
          <p
            className={classes.quiet}
          >{`And ${before.hidden_members} more who appear in none of your repositories.`}</p>
        )}
      </fieldset>
      {others.length > 0 && (
        <fieldset className={classes.tree}>
          <legend className={classes.legend}>
            <b>Teams in it</b>
          </legend>
          <ul className={classes.branches}>
            {others.map((team) => (
              <li key={team.id}>
                <Checkbox
                  label={
                    <>
                      <span dir="auto">{team.name}</span>{' '}
                      <span className={classes.quiet}>{team.handle === null ? 'group' : `@${team.handle}`}</span>
                    </>
                  }
                  checked={parts.has(team.id)}
                  onChange={({ currentTarget }) => {
                    const next = new Set(parts);
                    if (currentTarget.checked) next.add(team.id);
                    else next.delete(team.id);
                    setParts(next);
                  }}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {save.error && <Banner meaning="bad">{`The group could not be saved. ${causeOf(save.error)}`}</Banner>}
      <div className={classes.answer}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={name.trim() === ''} loading={save.isPending}>
          {before === null ? 'Make group' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

interface MemberProps {
  readonly member: GroupMember;
  /** Null takes them out. */
  readonly onChange: (member: GroupMember | null) => void;
}

/** Somebody with the days from and to which they belong to the group; empty: always, and still. */
function Member({ member: { username, periods }, onChange }: MemberProps) {
  const set = (at: number, end: 'from' | 'to', date: string) =>
    onChange({
      username,
      periods: periods.map((period, place) => (place === at ? { ...period, [end]: date } : period)),
    });
  const name = shownLogin(username);
  const another = useId();
  return (
    <li className={classes.member}>
      <span className={classes.login} dir="auto">
        {name}
      </span>
      <div className={classes.periods}>
        {periods.map(({ from, to }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: periods have nothing else that tells them apart
          <div key={at} className={classes.period}>
            <input
              type="date"
              className={classes.date}
              aria-label={`${name} from, period ${at + 1}`}
              value={from}
              onChange={({ currentTarget }) => set(at, 'from', currentTarget.value)}
            />
            to
            <input
              type="date"
              className={classes.date}
              aria-label={`${name} to, period ${at + 1}`}
              value={to}
              onChange={({ currentTarget }) => set(at, 'to', currentTarget.value)}
            />
            {periods.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                ref={passFocus(another)}
                aria-label={`Take out period ${at + 1} of ${name}`}
                onClick={() => onChange({ username, periods: periods.filter((_, place) => place !== at) })}
              >
                <TrashIcon size={12} />
              </ActionIcon>
            )}
          </div>
        ))}
        <button
          id={another}
          type="button"
          className={classes.more}
          onClick={() => onChange({ username, periods: [...periods, { from: '', to: '' }] })}
        >
          Another period
        </button>
      </div>
      <ActionIcon
        ref={passFocus(PEOPLE)}
        variant="default"
        size={28}
        aria-label={`Take ${name} out`}
        onClick={() => onChange(null)}
      >
        <TrashIcon size={14} />
      </ActionIcon>
    </li>
  );
}
