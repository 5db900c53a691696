import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { part, showFailedPart } from '../api/part.ts';

/** By why something could not be loaded, what has it loaded once more when it is drawn the next time. */
const retries = new WeakMap<object, () => void>();

/**
 * What is loaded when somebody opens it, to be drawn in a `LazyPart`: where that failed it can be opened again. React keeps for good what a
 * component of its own `lazy` was loaded as, a failure, too.
 */
export function loadedLater<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): (props: Props) => ReactNode {
  let Part: ComponentType<Props>;
  const begin = (onLoad: () => void) => {
    Part = lazy(() =>
      part(load)().then(
        (loaded) => {
          onLoad();
          return loaded;
        },
        (error: Error) => {
          // The note of before speaks of what is there by then.
          retries.set(error, () => begin(() => showFailedPart(null)));
          throw error;
        },
      ),
    );
  };
  begin(() => {});
  return (props) => <Part {...props} />;
}

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
    retries.get(error as object)?.();
    if (!this.props.isQuiet) showFailedPart(error);
    this.props.onFail?.();
  }

  override render() {
    return this.state.failed ? null : <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}
