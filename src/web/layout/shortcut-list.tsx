import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './command-palette.module.css';
import { useFocusBack } from './focus-back.ts';
import { commandKey, Keys } from './keys.tsx';
import { pages } from './pages.ts';
import { showOverlay } from './palette-state.ts';
import { useSingleKeysSwitch } from './single-keys-switch.ts';

/** All shortcuts, as ? shows them. */
export default function ShortcutList() {
  useFocusBack();
  const [on] = useSingleKeysSwitch();
  const close = () => showOverlay(null);
  return (
    <Modal opened onClose={close} title="All shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={classes.shortcuts}>
        <Shortcut keys={[commandKey(), 'K']}>Search everything</Shortcut>
        <Shortcut keys={['/']}>Search on this page</Shortcut>
        <Shortcut keys={['?']}>All shortcuts</Shortcut>
        <Shortcut keys={['J']}>Next pull request of the list</Shortcut>
        <Shortcut keys={['K']}>Previous pull request of the list</Shortcut>
        <Shortcut keys={['O']}>The pull request on its host</Shortcut>
        <Shortcut keys={['1–6']}>A tab of the pull request</Shortcut>
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
    </Modal>
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
