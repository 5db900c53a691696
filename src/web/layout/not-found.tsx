import { Link } from '@tanstack/react-router';
import classes from '../kit/notice.module.css';
import { SessionLoading } from '../session/guard.tsx';
import { useSession } from '../session/session.tsx';
import { useDocumentTitle } from './page.tsx';
import { SignedInShell } from './shell.tsx';

/** The screen for an address that leads nowhere: inside the shell for whoever is signed in. */
export function NotFoundScreen() {
  const { status } = useSession();
  useDocumentTitle('Page not found');
  if (status === 'loading') return <SessionLoading />;
  if (status === 'signed-in')
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
