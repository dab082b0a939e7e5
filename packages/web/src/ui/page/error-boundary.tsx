import { Component, type ReactNode } from "react";

interface Props {
  /** The replacement of a part that cannot be drawn. */
  broken: ReactNode;
  /** Where the user is: on another path the part is drawn again. */
  path: string;
  children: ReactNode;
}

/** Keeps an error of drawing from emptying the page. React asks for a class. */
export class ErrorBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate({ path }: Props) {
    if (this.state.isBroken && path !== this.props.path) this.setState({ isBroken: false });
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children;
  }
}
