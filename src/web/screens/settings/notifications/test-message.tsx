import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Delivery } from '#contract/notifications.ts';
import { api, type CallAnswer } from '../../../api/client.ts';
import { keyOf } from '../../../api/query.ts';
import { Chip } from '../../../kit/chip.tsx';
import { causeOf } from '../../../kit/error-state.tsx';
import classes from './notifications.module.css';

/** How long it is told that a test arrived, in milliseconds; a failure stays. */
const TOLD_FOR = 10_000;

type Test = UseMutationResult<CallAnswer<'testNotification'>, Error, void>;

/** Sends a test to a channel. */
export function useTest(channel: Delivery['channel']): Test {
  const queries = useQueryClient();
  const test: Test = useMutation({
    mutationFn: () => api.testNotification({ body: { channel } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keyOf('listDeliveries') }),
        queries.invalidateQueries({ queryKey: keyOf('getDemoInbox') }),
      ]),
  });
  const { data, reset } = test;
  useEffect(() => {
    if (!data?.ok) return;
    const timer = setTimeout(reset, TOLD_FOR);
    return () => clearTimeout(timer);
  }, [data, reset]);
  return test;
}

/** What became of a test, in a word: 'Arrived in 0.4 s, 200'. */
export function TestResult({ test }: { readonly test: Test }) {
  return (
    <span className={classes.testResult} role="status">
      {test.isPending && 'Sending …'}
      {test.data?.ok && (
        <Chip meaning="good">
          {`Arrived in ${(test.data.took_ms / 1000).toFixed(1)} s${test.data.status === null ? '' : `, ${test.data.status}`}`}
        </Chip>
      )}
      {test.data?.ok === false && <Failed words={test.data.message} />}
      {test.error && <Failed words={causeOf(test.error)} />}
    </span>
  );
}

function Failed({ words }: { readonly words: string }) {
  return (
    <span className={classes.testFailed}>
      <Chip meaning="bad">Failed</Chip> {words}
    </span>
  );
}
