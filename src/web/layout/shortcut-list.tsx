import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Dialog } from '../kit/dialog.tsx';
import { commandKey, Keys } from '../kit/keys.tsx';
import { useSingleKeysSwitch } from '../kit/single-keys-switch.ts';
import classes from './command-palette.module.css';
import { pages } from './pages.ts';
import { showOverlay } from './palette-state.ts';

/** All shortcuts, as ? shows them. */
export default function ShortcutList() {
  const [on] = useSingleKeysSwitch();
  const close = () => showOverlay(null);
  return (
    <Dialog title="All shortcuts" onClose={close}>
      <dl className={classes.shortcuts}>
        <Shortcut keys={[commandKey(), 'K']}>Search everything</Shortcut>
        <Shortcut keys={['/']}>Search on this page</Shortcut>
        <Shortcut keys={['?']}>All shortcuts</Shortcut>
        <Shortcut keys={['J']}>Next pull request of the list</Shortcut>
        <Shortcut keys={['K']}>Previous pull request of the list</Shortcut>
        <Shortcut keys={['S']}>Snooze, in My work</Shortcut>
        <Shortcut keys={['U']}>Take a snooze back, in My work</Shortcut>
        <Shortcut keys={['O']}>The pull request on its host</Shortcut>
        <Shortcut keys={['1–6']}>A tab of the pull request</Shortcut>
        <Shortcut keys={['←', '↑', '↓', '→']}>From figure to figure of a list of people</Shortcut>
        {pages.map(({ title, key }) => (
          <Shortcut key={key} keys={['G', key.toUpperCase()]}>
            {title}
          </Shortcut>
        ))}
      </dl>
      <p className={classes.hint}>
        {on ? 'Single keys can be switched off in the ' : 'Single keys are switched off in the '}
        <Link to="/settings" onClick={close}>
          settings
        </Link>
        .
      </p>
    </Dialog>
  );
}

function Shortcut({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <div>
      <dt>{children}</dt>
      <dd>
        <Keys keys={keys} />
        <VisuallyHidden>{keys.join(' ')}</VisuallyHidden>
      </dd>
    </div>
  );
}
