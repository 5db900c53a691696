import { useLocalStorage } from '@mantine/hooks';
import { SINGLE_KEYS } from './single-keys.ts';

/** Whether shortcuts of one key are on, and the switch, which the settings show; also when another tab turns it. */
export function useSingleKeysSwitch(): readonly [boolean, (on: boolean) => void] {
  const [on, turn] = useLocalStorage({
    key: SINGLE_KEYS,
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (on) => (on ? 'on' : 'off'),
    deserialize: (kept) => kept !== 'off',
  });
  return [on, turn];
}
