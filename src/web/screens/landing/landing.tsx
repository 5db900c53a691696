import { Button } from '@mantine/core';
import { BeakerIcon, CheckIcon, MarkGithubIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { FooterLinks } from '../../layout/footer-links.tsx';
import { Mark } from '../../layout/mark.tsx';
import { useDocumentTitle } from '../../layout/page.tsx';
import { useDemo } from '../../session/demo.ts';
import { useSession } from '../../session/session.tsx';
import classes from './landing.module.css';
import { SampleFrame } from './sample-frame.tsx';
import { Numbers, Questions, SelfHosting } from './sections.tsx';

/** What must stay true of the product. */
const claims = ['Never touches your code', 'No telemetry', 'Starts with one command'];

/** The public page: what the product is for, itself with sample data, and the ways in (docs/product.md#screens-and-addresses). */
export function LandingScreen() {
  useDocumentTitle('See where reviews wait');
  const known = useDemo().host;
  // Which server it is stands on the sign-in page; this one says what it is for.
  const host = known === 'GitHub' ? known : 'GitHub Enterprise Server';
  return (
    <div className={classes.page}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        <span className={classes.brand}>
          <Mark />
          Mergelight
        </span>
        <nav aria-label="Main" className={classes.nav}>
          <a href="#self-hosting" className={classes.wide}>
            Self-hosting
          </a>
          <a href="#numbers" className={classes.wide}>
            How numbers are computed
          </a>
          <Link to="/login">Sign in</Link>
          <ConnectHost host={host} />
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        <div className={classes.hero}>
          <h1>See where reviews wait.</h1>
          <p>
            Mergelight reads your team’s pull requests and says whose turn it is, for how long, and whether that is
            usual for you. It runs on your own server.
          </p>
          <div className={classes.ways}>
            <Button component={Link} to="/login" size="md">
              Get Started
            </Button>
            <ViewDemo large />
          </div>
          <ul className={classes.claims}>
            {claims.map((claim) => (
              <li key={claim}>
                <CheckIcon size={12} /> {claim}
              </li>
            ))}
          </ul>
          <div className={classes.frame}>
            <SampleFrame />
          </div>
        </div>
        <Questions />
        <Numbers />
        <SelfHosting>
          <div className={classes.ways}>
            <ConnectHost host={host} />
            <ViewDemo />
          </div>
        </SelfHosting>
      </main>
      <footer className={classes.footer}>
        <p>Figures on this page are sample data.</p>
        <FooterLinks />
      </footer>
    </div>
  );
}

function ConnectHost({ host }: { host: string }) {
  return (
    <Button
      component={Link}
      to="/login"
      leftSection={<MarkGithubIcon size={16} />}
      classNames={{ root: classes.connect ?? '', inner: classes.connect ?? '', label: classes.connectLabel ?? '' }}
    >
      Connect {host}
    </Button>
  );
}

/** Leads to the dashboard; with the demo switched on it signs in to the demo first (docs/product.md#screens-and-addresses). */
function ViewDemo({ large = false }: { large?: boolean }) {
  const demo = useDemo();
  const { status } = useSession();
  const open = (event: MouseEvent) => {
    if (!demo.offered || status === 'signed-in' || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void demo.open();
  };
  return (
    <Button
      component={Link}
      to="/dashboard"
      preload={false}
      variant="default"
      {...(large && { size: 'md' })}
      leftSection={<BeakerIcon size={16} />}
      loading={demo.opening}
      onClick={open}
    >
      View Demo
    </Button>
  );
}
