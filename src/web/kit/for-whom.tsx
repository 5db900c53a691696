import { NativeSelect } from '@mantine/core';

/** Who sees what somebody writes or keeps. */
export type Audience = 'mine' | 'everyone';

interface Props {
  readonly value: Audience;
  readonly onChange: (audience: Audience) => void;
  /** What everyone gets to see, as a sentence; shown where that is chosen. */
  readonly sentence: string;
  /** Whether nobody else sees it in any case, as in the demo. */
  readonly alone: boolean;
}

/** The choice between oneself and everyone who is signed in, which says what that means. */
export function ForWhom({ value, onChange, sentence, alone }: Props) {
  return (
    <NativeSelect
      label="For whom"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value === 'everyone' ? 'everyone' : 'mine')}
      data={[
        { value: 'mine', label: 'Me alone' },
        ...(alone ? [] : [{ value: 'everyone', label: 'Everyone signed in' }]),
      ]}
      description={value === 'everyone' ? sentence : 'Nobody else sees it.'}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}
