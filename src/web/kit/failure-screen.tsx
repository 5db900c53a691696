import { Button, type ButtonProps } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Component, type ReactNode } from 'react';
import classes from './notice.module.css';

export function ReloadButton(props: ButtonProps) {
  return (
    <Button {...props} onClick={() => window.location.reload()}>
      Reload Page
    </Button>
  );
}

/** The screen for what nobody foresaw (docs/product.md#words-and-errors); inside the shell it is a part of its main content. */
export function FailureScreen({ error, inside = false }: { error: unknown; inside?: boolean }) {
  const message = error instanceof Error && error.message !== '' ? error.message : 'An unexpected error occurred';
  const Whole = inside ? 'section' : 'main';
  return (
    <Whole className={classes.state} role="alert" style={{ minHeight: '60vh' }}>
      <AlertIcon size={24} className={`${classes.stateIcon} ${classes.failed}`} />
      <h1>Something went wrong</h1>
      <p className={classes.why}>{message}</p>
      <ReloadButton className={classes.next ?? ''} />
    </Whole>
  );
}

interface FailureBoundaryProps {
  readonly children: ReactNode;
  /** The path shown, where the boundary is inside the shell: another page gets its own try. */
  readonly path?: string;
}

/** Catches what a screen throws while drawing. */
export class FailureBoundary extends Component<FailureBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('') };
  }

  override componentDidUpdate({ path }: FailureBoundaryProps) {
    if (this.state.error !== null && path !== this.props.path) this.setState({ error: null });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <FailureScreen error={this.state.error} inside={this.props.path !== undefined} />;
  }
}
