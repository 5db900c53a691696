import { Button, TextInput } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NotificationSettings } from '#contract/notifications.ts';
import { ApiError, api } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { causeOf } from '../../../kit/error-state.tsx';
import { useFocusBack } from '../../../kit/focus-back.ts';
import { useHostName, useUser } from '../../../session/session.tsx';
import classes from './notifications.module.css';
import { askNotifications } from './questions.ts';

const USE_ANOTHER = 'another-mail-address';

/** Where mail goes, and the way to have it go elsewhere, which has to be confirmed there. */
export function MailAddress({ settings }: { readonly settings: NotificationSettings }) {
  const { mail, channels_available } = settings;
  const { email } = useUser();
  const host = useHostName();
  const queries = useQueryClient();
  const [typing, setTyping] = useState(false);
  const save = useMutation({
    mutationFn: (address: string | null) => api.saveNotifications({ body: { mail: { address } } }),
    onSuccess(answer) {
      queries.setQueryData(askNotifications().queryKey, answer);
      void queries.invalidateQueries({ queryKey: keyOf('previewNotification') });
      setTyping(false);
    },
  });
  if (!channels_available.some(({ channel, available }) => channel === 'mail' && available)) return null;
  const isOfHost = mail.address !== null && mail.address === email;
  return (
    <div className={classes.address}>
      {mail.address === null ? (
        <span>{`There is no address for mail: your ${host} account shares none.`}</span>
      ) : mail.confirmed ? (
        <span>
          {`Mail goes to ${mail.address}`}
          {isOfHost ? `, the address of your ${host} account.` : '.'}
        </span>
      ) : (
        <span className={classes.unconfirmed}>
          <AlertIcon size={12} /> {mail.address} isn’t confirmed yet: open the link that was sent to it, which is good
          for 24 hours. Until then mail goes where it went before.
        </span>
      )}{' '}
      {!typing && (
        <>
          <Button id={USE_ANOTHER} variant="subtle" size="compact-sm" onClick={() => setTyping(true)}>
            {mail.address === null ? 'Give one' : 'Use another'}
          </Button>
          {!isOfHost && mail.address !== null && email !== null && (
            <Button variant="subtle" size="compact-sm" loading={save.isPending} onClick={() => save.mutate(null)}>
              {`Use ${email}`}
            </Button>
          )}
        </>
      )}
      {typing && (
        <AddressForm
          busy={save.isPending}
          problem={save.error}
          onSave={(address) => save.mutate(address)}
          onClose={() => {
            save.reset();
            setTyping(false);
          }}
        />
      )}
      {!typing && save.error && (
        <p className={classes.fieldProblem} role="alert">
          {causeOf(save.error)}
        </p>
      )}
    </div>
  );
}

interface FormProps {
  readonly busy: boolean;
  readonly problem: Error | null;
  readonly onSave: (address: string) => void;
  readonly onClose: () => void;
}

function AddressForm({ busy, problem, onSave, onClose }: FormProps) {
  useFocusBack(USE_ANOTHER);
  const [address, setAddress] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (address.trim() !== '') onSave(address.trim());
  };
  const issue = problem instanceof ApiError ? problem.issues[0]?.message : undefined;
  return (
    <form
      className={classes.addressForm}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
      noValidate
    >
      <TextInput
        type="email"
        label="Another address"
        description="A link is sent there; mail goes there once it is opened."
        autoComplete="email"
        data-autofocus
        autoFocus
        value={address}
        error={problem && (issue ?? causeOf(problem))}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={busy} disabled={address.trim() === ''}>
          Send the link
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
