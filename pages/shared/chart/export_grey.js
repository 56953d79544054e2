function savedGrey() {}
