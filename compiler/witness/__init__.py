"""The search for the contents of certificates: witnesses for conditions. Soundness does not depend on this
package.
"""
