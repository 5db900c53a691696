import { Button, TextInput } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card } from '../../kit/card.tsx';
import { causeOf } from '../../kit/error-state.tsx';
import { useHostName, useSession, useUser } from '../../session/session.tsx';
import classes from './delete-account.module.css';

/** Deletes the account, once its name has been typed. */
export function DeleteAccount() {
  const { github_username } = useUser();
  const { leave } = useSession();
  const host = useHostName();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => api.deleteAccount({ body: { confirm: typed.trim() } }),
    onSuccess: () => leave('/'),
  });
  const confirmed = typed.trim().toLowerCase() === github_username.toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirmed) remove.mutate();
  };
  return (
    <div className={classes.danger}>
      <Card title={<span id="delete-account">Delete my account</span>}>
        <form className={classes.form} onSubmit={submit}>
          <p id="delete-account-what" className={classes.what}>
            Your settings and your token are deleted at once, and the repositories that nobody else has connected. So is
            what others use: groups, kept views and notes on trends that you made for everyone, your notification
            channels, and the teams that nobody else has imported, with who belonged to them when. What you granted at{' '}
            {host} is taken back. This cannot be undone.
          </p>
          <TextInput
            label={`Type ${github_username} to confirm`}
            aria-describedby="delete-account-what"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <Button
            type="submit"
            variant="default"
            className={classes.button ?? ''}
            leftSection={<TrashIcon size={14} />}
            disabled={!confirmed}
            loading={remove.isPending}
          >
            Delete account
          </Button>
        </form>
        {remove.error && <Banner meaning="bad">{`Your account could not be deleted. ${causeOf(remove.error)}`}</Banner>}
      </Card>
    </div>
  );
}
