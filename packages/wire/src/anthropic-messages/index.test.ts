import { describeCodec } from "../testing/describe-codec.ts";
import { ANTHROPIC } from "../testing/formats.ts";

describeCodec(ANTHROPIC);
