import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { AlertIcon, BookmarkIcon, CheckIcon, LinkIcon, PinIcon, TrashIcon } from '@primer/octicons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeptView } from '#contract/views.ts';
import { api } from '../../api/client.ts';
import { keyOf, unlessGone } from '../../api/query.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { LossDialog } from '../../kit/loss-dialog.tsx';
import { headingAt } from '../../layout/pages.ts';
import { formatCount } from '../../time/moment.ts';
import { askViews } from '../../views/questions.ts';
import { viewAddress } from '../../views/view-address.ts';
import { ViewForm } from '../../views/view-form.tsx';
import { changedOf } from './notifications/changed-of.ts';
import classes from './settings.module.css';
import { Unlisted } from './unlisted.tsx';

const HEAD = 'kept-views';
const head = (
  <span id={HEAD} tabIndex={-1}>
    Kept views
  </span>
);

/** The views that this person keeps, and those of others for everyone. */
export function KeptViews() {
  const views = useQuery(askViews());
  const all = views.data;
  return (
    <Card title={head} caption={all && all.length > 0 && formatCount(all.length)} flush>
      {all === undefined ? (
        <Unlisted title="Failed to fetch your kept views" query={views} />
      ) : all.length === 0 ? (
        <p className={classes.none}>
          None yet. The bookmark beside the title of a page keeps it with all that is chosen there.
        </p>
      ) : (
        <ul aria-label="Kept views">
          {all.map((view) => (
            <View key={view.slug} view={view} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function View({ view }: { readonly view: KeptView }) {
  const { slug, name, path, visibility, pinned, mine } = view;
  const [open, setOpen] = useState<'change' | 'delete' | null>(null);
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  const told = error ? 'Could not be copied' : copied ? 'Copied' : '';
  const change = useChange(slug);
  const audience =
    visibility === 'mine' ? 'for you alone' : mine ? 'for everyone' : 'for everyone, kept by somebody else';
  return (
    <li>
      <div className={classes.repository}>
        <span className={classes.icon}>
          <BookmarkIcon size={16} />
        </span>
        <div className={classes.what}>
          <div className={classes.name}>
            <Link to="/v/$slug" params={{ slug }}>
              <b dir="auto">{name}</b>
            </Link>
          </div>
          <div className={classes.facts}>
            <span>{headingAt(path) ?? 'Team'}</span>
            <span>{audience}</span>
            {pinned && <span>on the dashboard</span>}
          </div>
        </div>
        <div className={classes.acts}>
          {mine && (
            <ActionIcon
              variant="default"
              size={32}
              aria-label={`Pin ${name} to the dashboard`}
              aria-pressed={pinned}
              data-tip={pinned ? 'Take off the dashboard' : 'Pin to the dashboard'}
              className={pinned ? (classes.pinned ?? '') : ''}
              loading={change.isPending}
              onClick={() => change.mutate({ pinned: !pinned })}
            >
              <PinIcon size={14} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="default"
            size={32}
            aria-label={told || `Copy the address of ${name}`}
            data-tip={told || 'Copy the address'}
            onClick={() => copy(viewAddress(slug))}
          >
            {error ? <AlertIcon size={14} /> : copied ? <CheckIcon size={14} /> : <LinkIcon size={14} />}
          </ActionIcon>
          <VisuallyHidden role="status">{error && told}</VisuallyHidden>
          {mine && (
            <>
              <Button variant="default" aria-label={`Change ${name}`} onClick={() => setOpen('change')}>
                Change
              </Button>
              <ActionIcon
                className={classes.removeQuietly ?? ''}
                variant="default"
                size={32}
                aria-label={`Delete ${name}`}
                data-tip="Delete"
                onClick={() => setOpen('delete')}
              >
                <TrashIcon size={14} />
              </ActionIcon>
            </>
          )}
        </div>
      </div>
      {change.error && (
        <p className={classes.failed} role="alert">{`The view could not be changed. ${causeOf(change.error)}`}</p>
      )}
      {open === 'change' && <ChangeView view={view} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteView view={view} onClose={() => setOpen(null)} />}
    </li>
  );
}

function useChange(slug: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<Pick<KeptView, 'name' | 'visibility' | 'pinned'>>) =>
      api.changeView({ params: { slug }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('listViews') }),
  });
}

interface OpenProps {
  readonly view: KeptView;
  readonly onClose: () => void;
}

function ChangeView({ view, onClose }: OpenProps) {
  const change = useChange(view.slug);
  // As the form began, whatever another tab has changed since: that is left as it is.
  const [start] = useState(view);
  return (
    <Dialog title="Change view" onClose={onClose}>
      <ViewForm
        start={start}
        save="Save"
        saving={change.isPending}
        onSave={({ name, visibility, pinned }) =>
          change.mutate(changedOf(start, { name, visibility, pinned }), { onSuccess: onClose })
        }
        onClose={onClose}
      >
        {change.error && <Banner meaning="bad">{`The view could not be changed. ${causeOf(change.error)}`}</Banner>}
      </ViewForm>
    </Dialog>
  );
}

function DeleteView({ view: { slug, name, visibility }, onClose }: OpenProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteView({ params: { slug } }).catch(unlessGone),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf('listViews') });
      onClose();
    },
  });
  return (
    <LossDialog
      title="Delete view"
      action="Delete view"
      failure="The view could not be deleted."
      loss={remove}
      onClose={onClose}
      otherwise={HEAD}
    >
      <p>
        <b dir="auto">{name}</b>
      </p>
      <p className={classes.why}>
        {visibility === 'everyone'
          ? 'Its address opens nothing any more, for you and for everyone.'
          : 'Its address opens nothing any more.'}
      </p>
    </LossDialog>
  );
}
