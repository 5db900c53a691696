import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type CallInput } from '../api/client.ts';
import { keyOf } from '../api/query.ts';
import { Banner } from '../kit/banner.tsx';
import { CopyField } from '../kit/copy-field.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { causeOf } from '../kit/error-state.tsx';
import { viewAddress } from './view-address.ts';
import { ViewForm } from './view-form.tsx';
import classes from './views.module.css';

/** Keeps the address of the page behind it, with all that is chosen there, under a name (docs/product.md#kept-views). */
export default function KeepView({ onClose }: { readonly onClose: () => void }) {
  const { pathname, searchStr } = useLocation();
  const queries = useQueryClient();
  // Without how much waits for whoever keeps it.
  const [title] = useState(() => document.title.replace(/^\(\d+\+?\) /, '').replace(/ · Mergelight$/, ''));
  const keep = useMutation({
    mutationFn: (body: CallInput<'keepView'>['body']) => api.keepView({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf('listViews') }),
  });
  if (keep.data !== undefined)
    return (
      <Dialog title="View kept" onClose={onClose}>
        <div className={classes.form}>
          <p>
            <b dir="auto">{keep.data.name}</b> is under “Kept views” in the settings and found by the command palette.
          </p>
          <CopyField
            label="Its address"
            note={keep.data.visibility === 'mine' ? 'opens for you alone' : 'opens for everyone signed in'}
            value={viewAddress(keep.data.slug)}
          />
          <div className={classes.answers}>
            {/* The dialog is open already: it takes the focus no second time. */}
            <Button autoFocus onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Keep this view" onClose={onClose}>
      <ViewForm
        start={{ name: title, visibility: 'mine', pinned: false }}
        save="Keep view"
        saving={keep.isPending}
        onSave={(kept) => keep.mutate({ ...kept, path: `${pathname}${searchStr}` })}
        onClose={onClose}
      >
        {keep.error && <Banner meaning="bad">{`The view could not be kept. ${causeOf(keep.error)}`}</Banner>}
      </ViewForm>
    </Dialog>
  );
}
