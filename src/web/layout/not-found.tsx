import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import classes from '../kit/notice.module.css';
import { SessionLoading } from '../session/guard.tsx';
import { useSession } from '../session/session.tsx';
import { useDocumentTitle } from './page.tsx';
import { SignedInShell } from './shell.tsx';

/** The screen for an address that leads nowhere: inside the shell for whoever is signed in. */
export function NotFoundScreen() {
  const { status } = useSession();
  useDocumentTitle('Page not found');
  const [inside, setInside] = useState(false);
  if (status === 'signed-in' && !inside) setInside(true);
  if (status === 'loading') return <SessionLoading />;
  // Also once the session has ended: the shell's guard leads on from here as from any other page.
  if (inside)
    return (
      <SignedInShell>
        <Nothing to="/dashboard" words="Go to the dashboard" />
      </SignedInShell>
    );
  return (
    <main>
      <Nothing to="/" words="Go to the start page" />
    </main>
  );
}

function Nothing({ to, words }: { readonly to: '/' | '/dashboard'; readonly words: string }) {
  return (
    <div className={classes.state} style={{ minHeight: '60vh' }}>
      <h1>Page not found</h1>
      <p className={classes.why}>There is nothing at this address. It may have moved, or the link was cut short.</p>
      <div className={classes.next}>
        <Link to={to}>{words}</Link>
      </div>
    </div>
  );
}
