"""What the generated client imports of the package of this name, which Debian does not have."""


class NullType:
    def __bool__(self):
        return False


Null = NullType()
