import { NativeSelect } from '@mantine/core';
import { useIsVisitor } from '../session/session.tsx';

/** Who sees what somebody writes or keeps. */
export type Audience = 'mine' | 'everyone';

interface Props {
  readonly value: Audience;
  readonly onChange: (audience: Audience) => void;
  /** What everyone gets to see, as a sentence; shown where that is chosen. */
  readonly sentence: string;
}

/** The choice between oneself and everyone who is signed in, which says what that means. Who looks at the demo keeps things for themselves. */
export function ForWhom({ value, onChange, sentence }: Props) {
  const isVisitor = useIsVisitor();
  return (
    <NativeSelect
      label="For whom"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value === 'everyone' ? 'everyone' : 'mine')}
      data={[
        { value: 'mine', label: 'Me alone' },
        ...(isVisitor ? [] : [{ value: 'everyone', label: 'Everyone signed in' }]),
      ]}
      description={value === 'everyone' ? sentence : 'Nobody else sees it.'}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}
