import { Component, type ReactNode, Suspense } from 'react';
import { showFailedPart } from '../api/part.ts';

interface Props {
  readonly children: ReactNode;
  /** While it is loaded. */
  readonly fallback?: ReactNode;
  /** It appears by itself and can be left out: no note where it fails. */
  readonly isQuiet?: boolean;
  /** Called when it could not be drawn, to close what was opened, so that it can be opened again. */
  readonly onFail?: () => void;
}

/** An error boundary around what is loaded when it is first needed: where that fails the page stays, and one note over it says why. */
export class LazyPart extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    if (!this.props.isQuiet) showFailedPart(error);
    this.props.onFail?.();
  }

  override render() {
    return this.state.failed ? null : <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}
