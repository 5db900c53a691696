import { Button } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { Component, type ReactNode } from 'react';
import classes from './notice.module.css';

/** The screen for what nobody foresaw (product specification, section 8). */
export function FailureScreen({ error }: { error: unknown }) {
  const message = error instanceof Error && error.message !== '' ? error.message : 'An unexpected error occurred';
  return (
    <main className={classes.state} role="alert" style={{ minHeight: '60vh' }}>
      <AlertIcon size={24} className={`${classes.stateIcon} ${classes.failed}`} />
      <h1>Something went wrong</h1>
      <p className={classes.why}>{message}</p>
      <Button className={classes.next ?? ''} onClick={() => window.location.reload()}>
        Reload Page
      </Button>
    </main>
  );
}

/** Catches what a screen throws while drawing. */
export class FailureBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('') };
  }

  override render() {
    return this.state.error === null ? this.props.children : <FailureScreen error={this.state.error} />;
  }
}

/** The screen for an address that leads nowhere. */
export function NotFoundScreen() {
  return (
    <main className={classes.state} style={{ minHeight: '60vh' }}>
      <h1>Page not found</h1>
      <p className={classes.why}>Nothing lives at this address. It may have moved, or the link was cut short.</p>
      <div className={classes.next}>
        <Link to="/dashboard">Go to the dashboard</Link>
      </div>
    </main>
  );
}
